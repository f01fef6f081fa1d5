import CLinux
public import Foundation
import Synchronization

/// A program that runs beside the test, and is killed with the last reference at the latest.
///
/// Foundation's `Process` lets two programs that start at once inherit each other's descriptors. It detects a program's end by
/// the close of a descriptor, so it may wait for ever for a program that has ended. With this type, programs inherit only the
/// three standard descriptors.
///
/// swift-subprocess is not a replacement: it runs a program for the duration of a closure, and a test's relay lives as long as
/// the object that holds it.
public final class TestProgram: Sendable {
    /// The target of standard output or standard error.
    public enum Output: Sendable {
        case nowhere
        case file(FileHandle)
        case pipe(Pipe)
    }

    /// How a program ended.
    public enum End: Sendable, Equatable {
        case exit(Int32)
        case signal(Int32)
    }

    public struct Trouble: Error, CustomStringConvertible {
        public let description: String
    }

    public let processIdentifier: Int32
    /// How the program ended, once known.
    private let seenEnd = Mutex<End?>(nil)

    /// Starts the program.
    ///
    /// - Parameters:
    ///   - arguments: The program's path, or its name on the test's `PATH`, and its arguments.
    ///   - environment: The complete environment, or `nil` for the test's environment.
    ///   - input: The standard input, or `nil` for an empty one.
    ///   - folder: The working folder, or `nil` for the test's folder.
    public init(
        _ arguments: [String], environment: [String: String]? = nil, input: Pipe? = nil, output: Output = .nowhere,
        errors: Output = .nowhere, in folder: URL? = nil
    ) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let input {
            posix_spawn_file_actions_adddup2(&actions, input.fileHandleForReading.fileDescriptor, 0)
        } else {
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        }
        output.connect(1, &actions)
        errors.connect(2, &actions)
        posix_spawn_file_actions_addclosefrom_np(&actions, 3)
        if let folder { posix_spawn_file_actions_addchdir_np(&actions, folder.path) }
        // Dispatch's threads block most signals, and the program must not inherit that.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var (noSignal, everySignal) = (sigset_t(), sigset_t())
        sigemptyset(&noSignal)
        sigfillset(&everySignal)
        posix_spawnattr_setsigmask(&attributes, &noSignal)
        posix_spawnattr_setsigdefault(&attributes, &everySignal)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        let variables = environment ?? ProcessInfo.processInfo.environment
        var identifier: pid_t = 0
        let program = arguments[0]
        let code = withCStrings(arguments) { arguments in
            withCStrings(variables.map { "\($0)=\($1)" }) { variables in
                posix_spawnp(&identifier, program, &actions, &attributes, arguments, variables)
            }
        }
        processIdentifier = identifier
        guard code == 0 else {
            // Otherwise `deinit` would signal a process that was never started: -1 means all processes.
            seenEnd.withLock { $0 = .exit(127) }
            throw Trouble(description: "\(program): \(String(cString: strerror(code)))")
        }
        // Only the program has these ends now, so a pipe ends with the program.
        try input?.fileHandleForReading.close()
        for case .pipe(let pipe) in [output, errors] { try? pipe.fileHandleForWriting.close() }
    }

    deinit {
        guard isRunning else { return }
        signal(SIGKILL)
        _ = end(options: 0)
    }

    public var isRunning: Bool { end == nil }

    /// How the program ended, or `nil` while it runs.
    public var end: End? { end(options: WNOHANG) }

    /// Waits on the caller's thread until the program has ended by itself.
    public func waitUntilEnd() -> End? { end(options: 0) }

    private func end(options: Int32) -> End? {
        seenEnd.withLock { seen in
            if let seen { return seen }
            var status: Int32 = 0
            guard waitpid(processIdentifier, &status, options) == processIdentifier else { return nil }
            seen = status & 0x7F == 0 ? .exit(status >> 8 & 0xFF) : .signal(status & 0x7F)
            return seen
        }
    }

    public func signal(_ number: Int32) {
        // Once the program has ended, its process identifier may belong to another process.
        guard isRunning else { return }
        kill(processIdentifier, number)
    }
}

extension TestProgram.Output {
    fileprivate func connect(_ descriptor: Int32, _ actions: inout posix_spawn_file_actions_t) {
        switch self {
        case .nowhere: posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0)
        case .file(let file): posix_spawn_file_actions_adddup2(&actions, file.fileDescriptor, descriptor)
        case .pipe(let pipe):
            posix_spawn_file_actions_adddup2(&actions, pipe.fileHandleForWriting.fileDescriptor, descriptor)
        }
    }
}

/// Calls a function with the strings as `argv`, terminated by a null pointer.
private func withCStrings<Result>(
    _ strings: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
    var pointers = strings.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    // swift-format-ignore: NeverForceUnwrap
    // Safe: the array contains at least the null pointer.
    return pointers.withUnsafeMutableBufferPointer { body($0.baseAddress!) }
}
