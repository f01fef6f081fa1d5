/// Why a journal file cannot be used.
public struct SQLiteJournalError: Error, Equatable, CustomStringConvertible {
    public let path: String
    public let reason: String

    public var description: String { "the journal \(path) cannot be used: \(reason)" }
}
