import Foundation

/// This very program, started beside the load test with other arguments. It is killed with the last reference at the latest,
/// and ends by itself where the load test ends without a word: its standard input ends then.
final class LoadTestProcess: Sendable {
    /// It ended, or took too long, before it did what was waited for.
    struct LaunchError: Error, CustomStringConvertible {
        let description: String
    }

    private let process = Process()
    private let input = Pipe()
    private let log: String

    /// - Parameters:
    ///   - environment: on top of this process's own, of which no setting of payrelay's is handed on: a load test must not
    ///     find the way to a real journal, or to FORT.
    ///   - log: the file that takes what it writes.
    init(_ arguments: [String], environment: [String: String] = [:], log: String) throws {
        self.log = log
        guard let executable = Bundle.main.executableURL, FileManager.default.createFile(atPath: log, contents: nil)
        else {
            throw LaunchError(description: "\(log) cannot be written")
        }
        let output = try FileHandle(forWritingTo: URL(filePath: log))
        process.executableURL = executable
        process.arguments = arguments + ["--until-input-ends"]
        process.environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("PAYRELAY_") }
            .merging(environment) { $1 }
        // Nothing is ever written to it, and no other program may hold it open.
        _ = fcntl(input.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
        process.standardInput = input
        process.standardOutput = output
        process.standardError = output
        try process.run()
        try output.close()
    }

    deinit { kill() }

    var processIdentifier: Int32 { process.processIdentifier }

    /// Ends it at once, if it runs.
    func kill() {
        // Once it has ended, its number may be another's.
        guard process.isRunning else { return }
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Waits until what it has written tells something.
    func wait<Reported>(for what: String, _ told: (String) -> Reported?) async throws -> Reported {
        let deadline = ContinuousClock.now + .seconds(30)
        while true {
            let isRunning = process.isRunning
            let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
            if let told = told(text) { return told }
            guard isRunning, ContinuousClock.now < deadline else {
                let state = isRunning ? "took too long" : "ended with status \(process.terminationStatus)"
                throw LaunchError(
                    description:
                        "waiting for \(what), but payrelay \(process.arguments?.first ?? "") \(state):\n\(text)")
            }
            try await Task.sleep(for: .milliseconds(20))
        }
    }
}
