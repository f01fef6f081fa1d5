import ArgumentParser
import Foundation

/// The statuses that this program ends with, besides 0 and the parser's own 64 (sysexits' `EX_USAGE`).
enum ExitStatus: Int32 {
    /// The answer is no.
    case no = 1
    /// A file cannot be used (`EX_DATAERR`).
    case data = 65
    /// The configuration cannot be used (`EX_CONFIG`).
    case configuration = 78
}

/// Prints why on standard error; throw what it returns.
func failure(_ text: String, status: ExitStatus) -> ExitCode {
    FileHandle.standardError.write(Data("payrelay: \(text)\n".utf8))
    return ExitCode(status.rawValue)
}
