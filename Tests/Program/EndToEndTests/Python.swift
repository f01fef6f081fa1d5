import Foundation
import TestPrograms
import Testing

/// A Python script, for tests that need a second implementation or a Python library.
enum Python {
    /// Runs a script to its end.
    ///
    /// - Returns: Its output, including errors.
    static func run(_ script: String, _ arguments: String...) async throws -> String {
        let finished = try await onThread {
            try FinishedProgram(["python3", "-c", script] + arguments, withErrors: true)
        }
        #expect(finished.succeeded, "\(finished.text)")
        return finished.text
    }
}
