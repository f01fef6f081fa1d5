import Foundation
import TestPrograms

/// Runs another program on files in a temporary folder.
struct Command {
    let succeeded: Bool
    let output: String

    static func exists(_ arguments: String...) -> Bool {
        (try? run(arguments, files: [:]).succeeded) == true
    }

    /// - Parameter files: The files in the folder in which the program runs.
    static func run(_ arguments: [String], files: [String: Data]) throws -> Command {
        let folder = try TemporaryFolder()
        for (name, data) in files { try data.write(to: folder.url.appending(path: name)) }
        let finished = try FinishedProgram(arguments, in: folder.url, withErrors: true)
        return Command(succeeded: finished.succeeded, output: finished.text)
    }
}
