import Foundation
import PayrelayPrimitives
import TestPrograms
import Testing

/// A program of Examples/, run by what it is written for.
struct ExampleProgram: Sendable, CustomTestStringConvertible {
    /// What must be on the PATH; nil for what this package builds.
    let runtime: String?
    /// With its arguments.
    let command: [String]

    var testDescription: String { command.last ?? "" }

    var isRunnable: Bool { runtime.map(Self.isOnThePath) ?? true }

    static func isOnThePath(_ name: String) -> Bool {
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
            .contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(name)") }
    }

    /// Runs it to its end.
    ///
    /// - Returns: what it wrote, errors included.
    func run(_ variables: [String: String] = [:], input: JSON) async throws -> (succeeded: Bool, text: String) {
        let environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
        let finished = try await onThread {
            try FinishedProgram(command, environment: environment, input: Data(input.encoded()), withErrors: true)
        }
        return (finished.succeeded, finished.text.trimmingCharacters(in: .newlines))
    }
}
