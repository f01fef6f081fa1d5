package import ArgumentParser
import Foundation
import Observability

/// Wrong usage: exit status 64. Named apart from the ValidationError of a field.
package typealias UsageError = ArgumentParser.ValidationError

/// The exit statuses of this program, besides 0 and the parser's own 64 (sysexits' `EX_USAGE`).
package enum ExitStatus: Int32 {
    /// The answer is no.
    case no = 1
    /// A file cannot be used (`EX_DATAERR`).
    case data = 65
    /// The configuration cannot be used (`EX_CONFIG`).
    case configuration = 78
}

/// Prints the reason on standard error; throw what it returns.
package func failure(_ text: String, status: ExitStatus) -> ExitCode {
    LogQueue.standardError.flush()
    try? FileHandle.standardError.show("\(nameOfThisProgram): \(text)\n")
    return ExitCode(status.rawValue)
}

/// Prints a line at once. `print` buffers while standard output is not a terminal, and a script that reads the first line of a
/// server's output would wait for ever. A reader that has left, as `head` does, is no error.
package func say(_ line: String = "") {
    try? FileHandle.standardOutput.show(line + "\n")
}
