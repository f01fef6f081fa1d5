import Foundation
import PayrelayPrimitives

/// `payrelay` or `payrelay-dev`, started beside the load test. It is killed with the last reference at the latest, and ends by
/// itself when the load test is killed, because its standard input ends then.
///
/// Foundation's `Process`, and not swift-subprocess: the two servers live as long as a load test and not as long as one call, and
/// it too hands on none but the three standard descriptors.
final class LoadTestProcess: Sendable {
    /// It ended, or took too long, before it was ready.
    struct LaunchError: Error, CustomStringConvertible {
        let description: String
    }

    private let process = Process()
    private let input = Pipe()
    private let log: String

    /// - Parameters:
    ///   - program: its name. It lies beside this one.
    ///   - environment: added to this process's own without payrelay's settings: a load test must not reach a real journal, or a gateway.
    ///   - log: the file for its output.
    init(_ program: String, _ arguments: [String], environment: [String: String] = [:], log: String) throws {
        self.log = log
        guard FileManager.default.createFile(atPath: log, contents: nil) else {
            throw LaunchError(description: "\(log) cannot be written")
        }
        let folder = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        let output = try FileHandle(forWritingTo: URL(filePath: log))
        process.executableURL = folder.appending(path: program)
        process.arguments = arguments + ["--until-input-ends"]
        process.environment = ProcessInfo.processInfo.environment.filter { !$0.key.begins(with: "PAYRELAY_") }
            .merging(environment) { $1 }
        // Nothing is ever written to it, and no other process may hold it open.
        _ = fcntl(input.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
        process.standardInput = input
        process.standardOutput = output
        process.standardError = output
        do {
            try process.run()
        } catch {
            throw LaunchError(
                description: "\(program) cannot be run from \(folder.path): \(error.localizedDescription)")
        }
        try output.close()
    }

    deinit { kill() }

    var processIdentifier: Int32 { process.processIdentifier }

    /// Ends it at once, if it runs.
    func kill() {
        // Once it has ended, its process identifier may be another's.
        guard process.isRunning else { return }
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Waits until its output contains something.
    ///
    /// - Parameter find: called with all output so far; nil while it is not there.
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
