import CLoad
import Foundation
import TestPrograms

/// A server under measurement, in a process of its own, which ends with this one.
public final class Server {
    private let process: TestProgram
    /// Holds what it writes to standard error.
    private let folder: TemporaryFolder
    /// From its start to its first good answer.
    public let startTime: Duration

    /// Starts it and waits until it answers.
    ///
    /// - Parameters:
    ///   - environment: all of it.
    ///   - probe: a port on loopback and a path that answers with the status once it is ready.
    @MainActor public init(
        _ arguments: [String], environment: [String: String] = [:], probe: (port: UInt16, path: String),
        status: Int32 = 200
    ) throws {
        folder = try TemporaryFolder()
        let log = folder.url.appending(path: "log")
        try Data().write(to: log)
        let start = ContinuousClock.now
        // The kernel ends it with the thread that started it, which is the main one.
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

    /// It ended, or took too long, before it was ready.
    public struct Failure: Error, CustomStringConvertible {
        public let description: String
    }

    /// Asks it to end, and waits until it has.
    public func stop() {
        process.signal(SIGTERM)
        _ = process.waitUntilEnd()
    }

    /// The time that it and its children spent on a core so far: what the machine does beside them does not count.
    public var cpuSeconds: Double {
        get throws { try ([process.processIdentifier] + children).map(ProcessFile.cpuSeconds).reduce(0, +) }
    }

    /// Its resident set, in bytes.
    public var residentBytes: Int { get throws { try ProcessFile.bytes("VmRSS", of: process.processIdentifier) } }

    /// The largest that its resident set has been, in bytes.
    public var residentBytesMax: Int { get throws { try ProcessFile.bytes("VmHWM", of: process.processIdentifier) } }

    private var children: [Int32] {
        get throws {
            let identifier = process.processIdentifier
            return try ProcessFile.text("task/\(identifier)/children", of: identifier).split(separator: " ")
                .compactMap { Int32($0) }
        }
    }
}
