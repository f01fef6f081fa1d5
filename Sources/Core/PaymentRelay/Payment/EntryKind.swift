/// The kind of an entry of a payment's history.
public enum EntryKind: Sendable, Hashable {
    /// A request claimed the order.
    case claim
    /// A fact about the charge became known.
    case charge
    /// A capture, a void or a refund that was requested here began, ended, or was not sent
    /// (``HistoryEntry/operation``).
    case capture, void, refund
    /// A capture, a void or a refund that was not requested here became known.
    case elsewhere
    /// An answer of the gateway contradicts the record. The payment did not change.
    case contradiction(Contradiction)
    /// An operator wrote a note.
    case note
    /// An operator took the payment, or gave it back.
    case assignment
    /// An operator had events sent again.
    case resend
    /// The customer's data was erased.
    case erasure

    init(_ command: OperationCommand) {
        self =
            switch command {
            case .capture: .capture
            case .voidAuthorization: .void
            case .refund: .refund
            }
    }

    /// The contradiction that the entry records; `nil` for an entry of another kind.
    public var contradiction: Contradiction? {
        if case .contradiction(let contradiction) = self { contradiction } else { nil }
    }
}

/// The kind as a journal keeps it.
extension EntryKind {
    /// The kind's word, which no other kind has.
    public var text: String {
        switch self {
        case .claim: "claim"
        case .charge: "charge"
        case .capture: "capture"
        case .void: "void"
        case .refund: "refund"
        case .elsewhere: "elsewhere"
        case .contradiction(let contradiction): contradiction.rawValue
        case .note: "note"
        case .assignment: "assignment"
        case .resend: "resend"
        case .erasure: "erasure"
        }
    }

    /// Reads a kind from a journal; `nil` for a word that no version of this code wrote.
    public init?(text: String) {
        guard let kind = Self.all[text] else { return nil }
        self = kind
    }

    private static let all: [String: EntryKind] = {
        let plain: [EntryKind] = [
            .claim, .charge, .capture, .void, .refund, .elsewhere, .note, .assignment, .resend, .erasure,
        ]
        let all = plain + Contradiction.allCases.map { .contradiction($0) }
        return Dictionary(uniqueKeysWithValues: all.map { ($0.text, $0) })
    }()
}

/// The capture, void or refund that an entry of a payment's history is about.
public struct EntryOperation: Sendable, Equatable {
    /// See ``PaymentOperation/identifier``.
    public let identifier: String
    /// The operation's state after the entry; `nil` if the operation was not sent. An operation that was not sent
    /// is only in the history.
    public let state: PaymentOperation.State?

    public init(_ identifier: String, _ state: PaymentOperation.State?) {
        self.identifier = identifier
        self.state = state
    }
}
