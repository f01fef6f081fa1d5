import Foundation
import TestPrograms

/// Runs another program on files in a directory of its own.
struct Command {
    let succeeded: Bool
    let output: String

    static func exists(_ arguments: String...) -> Bool {
        (try? run(arguments, files: [:]).succeeded) == true
    }

    /// - Parameter files: what lies in the directory the program runs in.
    static func run(_ arguments: [String], files: [String: Data]) throws -> Command {
        let folder = try TemporaryFolder()
        for (name, data) in files { try data.write(to: folder.url.appending(path: name)) }
        let finished = try FinishedProgram(arguments, in: folder.url, withErrors: true)
        return Command(succeeded: finished.succeeded, output: finished.text)
    }
}
