package import ArgumentParser
import Foundation
import Observability

/// The error for wrong usage, with exit status 64. Named so that it is not confused with the `ValidationError` of
/// a field.
package typealias UsageError = ArgumentParser.ValidationError

/// The exit statuses of this program, besides 0 and the argument parser's 64 (`EX_USAGE` of sysexits).
package enum ExitStatus: Int32 {
    /// The result of the command is negative.
    case no = 1
    /// A file cannot be used (`EX_DATAERR`).
    case data = 65
    /// The configuration cannot be used (`EX_CONFIG`).
    case configuration = 78
}

/// Prints the reason on standard error and returns the error to throw.
package func failure(_ text: String, status: ExitStatus) -> ExitCode {
    LogQueue.standardError.flush()
    try? FileHandle.standardError.show("\(nameOfThisProgram): \(text)\n")
    return ExitCode(status.rawValue)
}

/// Prints a line immediately. `print` buffers its output if standard output is not a terminal, so a script that
/// waits for the first line of a server's output would wait for ever. It is not an error if the reader has closed
/// the pipe, as `head` does.
package func say(_ line: String = "") {
    try? FileHandle.standardOutput.show(line + "\n")
}
