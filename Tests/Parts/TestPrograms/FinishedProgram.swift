public import Foundation

/// The result of a program.
public struct FinishedProgram: Sendable {
    public let end: TestProgram.End?
    public let output: Data

    public var succeeded: Bool { end == .exit(0) }
    public var text: String { String(decoding: output, as: UTF8.self) }

    /// Runs a program to its end, on the caller's thread.
    ///
    /// - Parameters:
    ///   - arguments, environment, folder: See ``TestProgram``.
    ///   - input: The program's standard input.
    ///   - withErrors: Whether the output includes standard error.
    public init(
        _ arguments: [String], environment: [String: String]? = nil, input: Data = Data(), in folder: URL? = nil,
        withErrors: Bool = false
    ) throws {
        let (read, written) = (Pipe(), Pipe())
        let program = try TestProgram(
            arguments, environment: environment, input: read, output: .pipe(written),
            errors: withErrors ? .pipe(written) : .nowhere, in: folder)
        // A write that exceeds the pipe's size would block before the output is read.
        let writer = Thread {
            if !input.isEmpty { try? read.fileHandleForWriting.write(contentsOf: input) }
            try? read.fileHandleForWriting.close()
        }
        writer.start()
        output = try written.fileHandleForReading.readToEnd() ?? Data()
        end = program.waitUntilEnd()
    }
}

/// Runs a shell command to its end and returns its output, without the line break at the end.
///
/// - Throws: An error if the exit status is not 0.
@discardableResult
public func shell(_ command: String) throws -> String {
    let finished = try FinishedProgram(["/bin/sh", "-c", command])
    guard finished.succeeded else {
        throw TestProgram.Trouble(description: "\(command): \(String(describing: finished.end))")
    }
    return finished.text.trimmingCharacters(in: .newlines)
}
