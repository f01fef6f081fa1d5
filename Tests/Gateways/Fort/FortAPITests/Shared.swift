import Foundation
import TestPrograms

/// Reference files that lie beside the project in some working copies. Without a file, the tests that need it are skipped.
enum Shared {
    static func has(_ path: String) -> Bool { FileManager.default.fileExists(atPath: url(path).path) }

    static func url(_ path: String) -> URL {
        Project.shared(path)
    }

    static func bytes(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: url(path))) }

    static func lines(_ path: String) throws -> [Substring] {
        String(decoding: try bytes(path), as: UTF8.self).split(separator: "\n")
    }

    static let python = ["/usr/bin/python3", "/usr/local/bin/python3"].first(
        where: FileManager.default.isExecutableFile(atPath:))

    /// Runs a Python program with an input, and returns its output. The program may import modules from `shared/acceptance`.
    static func run(python program: String, input: [UInt8]) throws -> [UInt8] {
        let finished = try FinishedProgram(
            [python ?? "/usr/bin/python3", "-c", program],
            environment: ["PYTHONPATH": url("acceptance").path, "PYTHONDONTWRITEBYTECODE": "1"], input: Data(input))
        return Array(finished.output)
    }
}
