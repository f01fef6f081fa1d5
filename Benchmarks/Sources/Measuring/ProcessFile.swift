import Foundation

/// Reads what Linux reports about a process in `/proc` (proc(5)).
enum ProcessFile {
    static func text(_ name: String, of process: Int32) throws -> String {
        try String(contentsOfFile: "/proc/\(process)/\(name)", encoding: .utf8)
    }

    static func cpuSeconds(of process: Int32) throws -> Double {
        // The name in front of these fields may contain spaces. `utime` and `stime` are the 12th and 13th field after the name,
        // in ticks.
        let fields = try text("stat", of: process).split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else {
            throw CocoaError(.fileReadCorruptFile)
        }
        return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// Returns a size from the process's `status` file, which gives it in kB.
    static func bytes(_ name: String, of process: Int32) throws -> Int {
        let line = try text("status", of: process).split(separator: "\n").first { $0.hasPrefix("\(name):") }
        guard let kibibytes = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Int($0) }) else {
            throw CocoaError(.fileReadCorruptFile)
        }
        return kibibytes * 1_024
    }
}
