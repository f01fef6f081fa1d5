import CLoad
import Foundation
import TestPrograms

/// A server under measurement, in a separate process that ends with this one.
public final class Server {
    private let process: TestProgram
    /// The folder for the server's standard error.
    private let folder: TemporaryFolder
    /// The time from the server's start to its first good answer.
    public let startTime: Duration

    /// Starts the server and waits until it answers.
    ///
    /// - Parameters:
    ///   - environment: The complete environment of the server.
    ///   - probe: A port on loopback and a path that answers with the status once the server is ready.
    @MainActor public init(
        _ arguments: [String], environment: [String: String] = [:], probe: (port: UInt16, path: String),
        status: Int32 = 200
    ) throws {
        folder = try TemporaryFolder()
        let log = folder.url.appending(path: "log")
        try Data().write(to: log)
        let start = ContinuousClock.now
        // The kernel ends the server with the thread that started it, which is the main thread.
        process = try TestProgram(
            ["setpriv", "--pdeathsig", "TERM", "--"] + arguments, environment: environment,
            errors: .file(try FileHandle(forWritingTo: log)))
        while load_status(probe.port, probe.path) != status {
            guard process.isRunning, start.duration(to: .now) < .seconds(60) else {
                let written = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
                throw Failure(description: "\(arguments.joined(separator: " ")) does not get ready:\n\(written)")
            }
            usleep(1_000)
        }
        startTime = start.duration(to: .now)
    }

    deinit { stop() }

    /// The server ended, or took too long, before it was ready.
    public struct Failure: Error, CustomStringConvertible {
        public let description: String
    }

    /// Tells the server to end, and waits until it has ended.
    public func stop() {
        process.signal(SIGTERM)
        _ = process.waitUntilEnd()
    }

    /// The CPU time that the server and its children have used so far. Other work of the machine does not count.
    public var cpuSeconds: Double {
        get throws { try ([process.processIdentifier] + children).map(ProcessFile.cpuSeconds).reduce(0, +) }
    }

    /// The server's resident set, in bytes.
    public var residentBytes: Int { get throws { try ProcessFile.bytes("VmRSS", of: process.processIdentifier) } }

    /// The largest size of the server's resident set so far, in bytes.
    public var residentBytesMax: Int { get throws { try ProcessFile.bytes("VmHWM", of: process.processIdentifier) } }

    private var children: [Int32] {
        get throws {
            let identifier = process.processIdentifier
            return try ProcessFile.text("task/\(identifier)/children", of: identifier).split(separator: " ")
                .compactMap { Int32($0) }
        }
    }
}
