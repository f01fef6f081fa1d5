import Foundation
import TestPrograms
import Testing

/// A script in Python, for what needs a second implementation or a library that there is in Python.
enum Python {
    /// Runs a script to its end.
    ///
    /// - Returns: what it wrote, errors included.
    static func run(_ script: String, _ arguments: String...) async throws -> String {
        let finished = try await onThread {
            try FinishedProgram(["python3", "-c", script] + arguments, withErrors: true)
        }
        #expect(finished.succeeded, "\(finished.text)")
        return finished.text
    }
}
