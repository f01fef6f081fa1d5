import CommandLineParts
import Foundation
import PayrelayPrimitives

/// A process of `payrelay` or `payrelay-dev` that was started for the load test. It is killed with the last
/// reference. If the load test is killed, its standard input ends, and so it ends by itself.
///
/// It uses Foundation's `Process` and not swift-subprocess, because the two servers live as long as a load test
/// and not as long as one call. `Process`, too, passes on only the three standard descriptors.
final class LoadTestProcess: Sendable {
    /// The error if the process ended, or took too long, before it was ready.
    struct LaunchError: Error, CustomStringConvertible {
        let description: String
    }

    private let process = Process()
    private let input = Pipe()
    private let log: String

    /// - Parameters:
    ///   - program: the name of a program in the same folder as this one.
    ///   - environment: variables to add to this process's environment. payrelay's settings are removed from it,
    ///     so that a load test cannot reach a real journal or gateway.
    ///   - log: the path of the file for its output.
    init(_ program: String, _ arguments: [String], environment: [String: String] = [:], log: String) throws {
        self.log = log
        guard FileManager.default.createFile(atPath: log, contents: nil) else {
            throw LaunchError(description: "\(log) cannot be written")
        }
        let output = try FileHandle(forWritingTo: URL(filePath: log))
        process.executableURL = folderOfThisProgram.appending(path: program)
        process.arguments = arguments + ["--until-input-ends"]
        process.environment = ProcessInfo.processInfo.environment.filter { !$0.key.begins(with: "PAYRELAY_") }
            .merging(environment) { $1 }
        // Nothing is ever written to the pipe, and no other process may keep it open.
        _ = fcntl(input.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
        process.standardInput = input
        process.standardOutput = output
        process.standardError = output
        do {
            try process.run()
        } catch {
            throw LaunchError(
                description: "\(program) cannot be run from \(folderOfThisProgram.path): \(error.localizedDescription)")
        }
        try output.close()
    }

    deinit { kill() }

    var processIdentifier: Int32 { process.processIdentifier }

    /// Kills the process if it is running.
    func kill() {
        // After the process has ended, its identifier may belong to another process.
        guard process.isRunning else { return }
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Waits until the output contains a text.
    ///
    /// - Parameter find: called with all output so far; returns `nil` while the text is missing.
    func wait<Found>(for what: String, _ find: (String) -> Found?) async throws -> Found {
        let deadline = ContinuousClock.now + .seconds(30)
        while true {
            let isRunning = process.isRunning
            let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
            if let found = find(text) { return found }
            guard isRunning, ContinuousClock.now < deadline else {
                let state = isRunning ? "took too long" : "ended with status \(process.terminationStatus)"
                throw LaunchError(
                    description:
                        "waiting for \(what), but \(process.arguments?.first ?? "") \(state):\n\(text)")
            }
            try await Task.sleep(for: .milliseconds(20))
        }
    }
}
