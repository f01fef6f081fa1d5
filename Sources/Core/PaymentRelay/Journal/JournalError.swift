/// Why a journal did not carry out a call. A reason never contains a value of a payment, or a password.
public enum JournalError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The journal cannot be used: for example, there is no connection, the disk is full, or the file is gone.
    case unavailable(reason: String)
    /// The connection was lost before the journal reported the result of the write. The write may be durable.
    case outcomeUnknown(reason: String)
    /// Too many calls wait for the journal, or this one has waited for too long. Nothing was written.
    case overloaded(reason: String)
    /// Other requests changed the same payment again and again. Nothing was written.
    case contended
    /// No version of this code wrote the payment's row.
    case unreadable(UnreadableRecord)

    public var description: String {
        switch self {
        case .unavailable(let reason), .outcomeUnknown(let reason), .overloaded(let reason): reason
        case .contended: "others changed the same payment again and again"
        case .unreadable(let record): record.description
        }
    }
}

/// A row of the journal that no version of this code wrote. Its payment is set aside until an operator repairs the
/// row: nothing is charged, queried or notified for it, and all other payments go on.
public struct UnreadableRecord: Error, Sendable, Equatable, CustomStringConvertible {
    /// The payment's reference; empty if it cannot be read either.
    public let merchantReference: String
    /// The first column that is wrong.
    public let column: String

    public init(merchantReference: String, column: String) {
        self.merchantReference = merchantReference
        self.column = column
    }

    public var description: String { "the journal's record of the payment cannot be read: \(column)" }
}

/// Called with each record that is set aside, for the operator's log and metrics. It must not block.
public typealias UnreadableRecordObserver = @Sendable (UnreadableRecord) -> Void

extension Sequence {
    /// Returns the elements that can be read, and calls the observer with the others.
    public func readable<Value>(_ observe: UnreadableRecordObserver) -> [Value]
    where Element == Result<Value, UnreadableRecord> {
        compactMap { element in
            switch element {
            case .success(let value): return value
            case .failure(let record):
                observe(record)
                return nil
            }
        }
    }
}
