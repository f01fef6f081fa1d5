import Foundation

/// The process's resources, from proc\(5\).
extension RunningProgram {
    /// The resident memory in bytes.
    var residentBytes: Int {
        get throws {
            let status = try String(contentsOfFile: "/proc/\(processIdentifier)/status", encoding: .utf8)
            guard let match = status.firstMatch(of: /VmRSS:\s+(\d+) kB/), let kilobytes = Int(match.1) else {
                throw LaunchError(description: "no VmRSS in \(status)")
            }
            return kilobytes * 1_024
        }
    }

    /// The number of open files and connections.
    var openFiles: Int {
        get throws { try FileManager.default.contentsOfDirectory(atPath: "/proc/\(processIdentifier)/fd").count }
    }
}
