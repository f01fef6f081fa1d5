import Foundation
import TestPrograms
import Testing

/// Another language, for what there is a library of in it, or for what no library of ours does.
enum Python {
    /// What the script writes, errors included.
    static func run(_ script: String, _ arguments: String...) async throws -> String {
        let folder = try TemporaryFolder()
        let output = folder.url.appending(path: "output")
        try Data().write(to: output)
        let file = try FileHandle(forWritingTo: output)
        let program = try TestProgram(["python3", "-c", script] + arguments, output: .file(file), errors: .file(file))
        while program.isRunning { try await Task.sleep(for: .milliseconds(20)) }
        let text = try String(contentsOf: output, encoding: .utf8)
        #expect(program.end == .exit(0), "\(text)")
        return text
    }
}
