import Foundation
import PayrelayPrimitives
import TestPrograms
import Testing

/// A program in Examples/, with the runtime that it needs.
struct ExampleProgram: Sendable, CustomTestStringConvertible {
    /// The runtime that must be on the PATH, or `nil` for a program that this package builds.
    let runtime: String?
    /// The command and its arguments.
    let command: [String]

    var testDescription: String { command.last ?? "" }

    var isRunnable: Bool { runtime.map(Self.isOnThePath) ?? true }

    static func isOnThePath(_ name: String) -> Bool {
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
            .contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(name)") }
    }

    /// Runs the program to its end.
    ///
    /// - Returns: Whether it succeeded, and its output, including errors.
    func run(_ variables: [String: String] = [:], input: JSON) async throws -> (succeeded: Bool, text: String) {
        let environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
        let finished = try await onThread {
            try FinishedProgram(command, environment: environment, input: Data(input.encoded()), withErrors: true)
        }
        return (finished.succeeded, finished.text.trimmingCharacters(in: .newlines))
    }
}
