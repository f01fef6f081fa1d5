import FoundationEssentials
#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// What a run was made on.
public struct Machine: Sendable {
    public var processor: String
    public var cores: Int
    /// In bytes.
    public var memory: UInt64
    public var system: String

    public static func current() -> Machine {
        let information = ProcessInfo.processInfo
        var name = utsname()
        uname(&name)
        let system = [Self.text(&name.sysname), Self.text(&name.release), Self.text(&name.machine)]
        return Machine(
            processor: processorName() ?? "unknown processor", cores: information.activeProcessorCount,
            memory: information.physicalMemory, system: system.joined(separator: " "))
    }

    var rows: [(String, String)] {
        [
            ("processor", "\(processor), \(cores) \(cores == 1 ? "core" : "cores")"),
            ("memory", "\((Double(memory) / 1_073_741_824).text(decimals: 1)) GiB"), ("system", system),
        ]
    }

    private static func processorName() -> String? {
        guard let data = FileManager.default.contents(atPath: "/proc/cpuinfo") else { return nil }
        let line = String(decoding: data, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("model name") }
        return line?.split(separator: ":").last.map { $0.drop { $0 == " " } }.map(String.init)
    }

    /// One of the fields of `uname`: characters up to a NUL.
    private static func text<Field>(_ field: inout Field) -> String {
        withUnsafeBytes(of: &field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
