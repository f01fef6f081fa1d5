import Foundation
import OutboundHTTP

/// A `payrelay` under measurement, in a process of its own.
@MainActor final class Server {
    private let process = Process()

    /// Starts it and waits until it answers.
    ///
    /// - Parameter probe: a URL that answers 200 once it is ready.
    init(
        _ program: String, _ arguments: [String], environment: [String: String] = [:], probe: String
    ) async throws {
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.environment = environment
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        let client = OutboundClient()
        defer { client.shutdown() }
        for _ in 0..<1_000 where process.isRunning {
            if try await (try? client.send(OutboundRequest(method: .get, url: probe)))?.status == 200 { return }
            try await Task.sleep(for: .milliseconds(20))
        }
        process.terminate()
        throw CocoaError(.executableLoad)
    }

    func stop() { process.terminate() }

    /// The time that it spent on a core so far, in seconds: what the machine does beside it does not count.
    var processorSeconds: Double {
        get throws {
            let stat = try String(contentsOfFile: "/proc/\(process.processIdentifier)/stat", encoding: .utf8)
            // The name before may hold spaces; utime and stime are the 12th and 13th after it (proc(5)), in ticks.
            let fields = stat.split(separator: ")").last?.split(separator: " ") ?? []
            guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else {
                throw CocoaError(.fileReadCorruptFile)
            }
            return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
        }
    }
}
