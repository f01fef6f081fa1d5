import Foundation
import TestPrograms

/// The built `payrelay` or `payrelay-dev`, or a program that works with them, running beside the test. It is killed with the
/// last reference at the latest.
final class RunningProgram: Sendable {
    /// The program ended, or the wait timed out.
    struct LaunchError: Error, CustomStringConvertible {
        let description: String
    }

    private let process: TestProgram
    private let output: URL

    /// - Parameters:
    ///   - environment: The variables. Of the test's own variables, only a sanitizer's options are passed on.
    ///   - launcher: A command that executes the given command in the same process.
    ///   - program: A program on the PATH, in place of the one of the two programs that has the command.
    init(
        _ arguments: [String], environment: [String: String] = [:], input: String? = nil, launcher: [String] = [],
        program: String? = nil
    ) throws {
        output = FileManager.default.temporaryDirectory.appending(path: "payrelay-\(UUID().uuidString).log")
        try Data().write(to: output)
        let log = try FileHandle(forWritingTo: output)
        let pipe = Pipe()
        process = try TestProgram(
            launcher + [program ?? Self.program(for: arguments).path] + arguments,
            environment: environment.merging(Self.sanitizerOptions) { given, _ in given }, input: pipe,
            output: .file(log), errors: .file(log))
        try? pipe.fileHandleForWriting.write(contentsOf: Data((input ?? "").utf8))
        try? pipe.fileHandleForWriting.close()
    }

    deinit {
        try? FileManager.default.removeItem(at: output)
    }

    /// The standard output and standard error so far.
    var text: String { (try? String(contentsOf: output, encoding: .utf8)) ?? "" }

    var lines: [Substring] { text.split(separator: "\n") }

    var isRunning: Bool { process.isRunning }

    var processIdentifier: pid_t { process.processIdentifier }

    func signal(_ number: Int32) { process.signal(number) }

    /// Waits for the program's end, and kills it after the limit.
    ///
    /// - Returns: The exit status, or the negative number of the signal that ended the program.
    @discardableResult func end(within limit: Duration = .seconds(300)) async throws -> Int32 {
        do {
            try await wait(for: "its end", within: limit) { !self.process.isRunning }
        } catch {
            signal(SIGKILL)
            throw error
        }
        switch process.end {
        case .exit(let status): return status
        case .signal(let number): return -number
        case nil: throw LaunchError(description: "payrelay's end is not known:\n\(text)")
        }
    }

    /// Waits until a condition is true. Throws if the program ends before.
    func wait(
        for what: String, within limit: Duration = .seconds(300), until isSo: () async throws -> Bool
    ) async throws {
        let deadline = ContinuousClock.now + limit
        while true {
            let wasRunning = process.isRunning
            if try await isSo() { return }
            guard wasRunning, ContinuousClock.now < deadline else {
                let state =
                    wasRunning
                    ? "is still running after \(limit)" : "ended (\(process.end.map { "\($0)" } ?? "unknown"))"
                throw LaunchError(description: "waiting for \(what), but payrelay \(state):\n\(text)")
            }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// Waits until the program has printed a text. A separate thread writes the log, so the line about an answer may come after
    /// the answer.
    func wait(toPrint printed: String) async throws {
        try await wait(for: "\"\(printed)\"") { text.contains(printed) }
    }

    /// Runs a program to its end.
    static func run(
        _ arguments: [String], environment: [String: String] = [:], input: String? = nil
    ) async throws -> (status: Int32, text: String) {
        let program = try RunningProgram(arguments, environment: environment, input: input)
        let status = try await program.end()
        return (status, program.text)
    }

    private static let sanitizerOptions = ProcessInfo.processInfo.environment.filter { name, _ in
        ["ASAN_OPTIONS", "TSAN_OPTIONS"].contains(name)
    }

    /// Returns the path of a product. SwiftPM builds products into the folder of the test bundle.
    static func built(_ name: String) -> URL {
        let bundle = Bundle.allBundles.map(\.bundleURL).first { $0.pathExtension == "xctest" }
        let folder = (bundle ?? URL(filePath: CommandLine.arguments[0])).deletingLastPathComponent()
        return folder.appending(path: name)
    }

    /// Returns the program that has a command: `payrelay-dev` has developers' commands, and `payrelay` the others.
    private static func program(for arguments: [String]) -> URL {
        let isForDevelopers =
            ["dev", "demo", "sandbox", "loadtest"].contains(arguments.first)
            || arguments.starts(with: ["token", "mint"])
        return built(isForDevelopers ? "payrelay-dev" : "payrelay")
    }
}
