import Foundation
import Testing

@testable import Observability

@Suite struct ProcessMetricsTests {
    private func value(_ name: String) -> Double? {
        PrometheusText(ProcessMetrics.families).text.split(separator: "\n").first { $0.hasPrefix(name + " ") }
            .flatMap { Double($0.dropFirst(name.count + 1)) }
    }

    @Test("The process's metrics agree with the machine's figures")
    func values() throws {
        let cpu = try #require(value("process_cpu_seconds_total"))
        #expect(cpu > 0 && cpu < 100_000)
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
        let kilobytes = try #require(Double(String(line.filter(\.isNumber))))
        let resident = try #require(value("process_resident_memory_bytes"))
        #expect(resident > kilobytes * 1_024 / 2 && resident < kilobytes * 1_024 * 2)
        let started = try #require(value("process_start_time_seconds"))
        #expect(started < Date().timeIntervalSince1970 + 2 && started > Date().timeIntervalSince1970 - 86_400)
        #expect(try #require(value("process_open_fds")) >= 3)
        #expect(try #require(value("process_max_fds")) >= 64)
    }

    @Test("An open file is counted while it is open")
    func openFiles() throws {
        let before = try #require(value("process_open_fds"))
        let handles = try (0..<200).map { _ in try FileHandle(forReadingFrom: URL(filePath: "/dev/null")) }
        // Other tests open files at the same time.
        #expect(try #require(value("process_open_fds")) >= before + 100)
        for handle in handles { try handle.close() }
    }

    @Test("A program's name with spaces and parentheses shifts no field")
    func nameOfTheProgram() {
        let rest = (3...52).map(String.init).joined(separator: " ")
        for name in ["payrelay", "a b", "a) 1 (b", ")"] {
            let fields = ProcessStatus.fields(of: "7 (\(name)) \(rest)\n")
            #expect(fields[22] == 22 && fields[24] == 24)
        }
        #expect(ProcessStatus.fields(of: "").isEmpty)
    }
}
