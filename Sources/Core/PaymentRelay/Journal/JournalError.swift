/// Why a journal did not do what was asked. No reason holds a value of a payment, or a password.
public enum JournalError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The journal cannot be used: no connection, a full disk, a file that is gone.
    case unavailable(reason: String)
    /// The connection was lost before the journal said how the write ended. It may be durable.
    case outcomeUnknown(reason: String)
    /// Too many wait for the journal, or for too long. Nothing was written.
    case overloaded(reason: String)
    /// Others changed the same payment again and again. Nothing was written.
    case contended
    /// The payment's row is one that no version of this code wrote.
    case unreadable(UnreadableRecord)

    public var description: String {
        switch self {
        case .unavailable(let reason), .outcomeUnknown(let reason), .overloaded(let reason): reason
        case .contended: "others changed the same payment again and again"
        case .unreadable(let record): record.description
        }
    }
}

/// A row of the journal that no version of this code wrote. Its payment is set aside until an operator repairs it:
/// nothing is charged, asked or notified for it, and all other payments go on.
public struct UnreadableRecord: Error, Sendable, Equatable, CustomStringConvertible {
    /// Empty where it cannot be read either.
    public let merchantReference: String
    /// The first column that is wrong.
    public let column: String

    public init(merchantReference: String, column: String) {
        self.merchantReference = merchantReference
        self.column = column
    }

    public var description: String { "the journal's record of the payment cannot be read: \(column)" }
}

/// Called with each record that is set aside, for an operator's log and metrics; must not block.
public typealias UnreadableRecordObserver = @Sendable (UnreadableRecord) -> Void

extension Sequence {
    /// The elements that can be read; the observer is called with the others.
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
