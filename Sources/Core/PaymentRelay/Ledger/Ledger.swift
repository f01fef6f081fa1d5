public import FoundationEssentials
import PayrelayPrimitives

/// Where a page of movements ends.
public struct MovementCursor: Sendable, Equatable {
    public let at: Date
    public let merchantReference: String
    /// Which change of the payment it is; what the number means is the journal's own.
    public let entry: Int
    public let kind: Int

    public init(at: Date, merchantReference: String, entry: Int, kind: Int) {
        self.at = at
        self.merchantReference = merchantReference
        self.entry = entry
        self.kind = kind
    }

    /// Before the first movement of this moment: no reference is empty.
    public init(start: Date) {
        self.init(at: start, merchantReference: "", entry: 0, kind: 0)
    }
}

/// Some movements, and where the next ones begin.
public struct MovementPage: Sendable, Equatable {
    /// Without those that cannot be read; the journal's observer is called with them.
    public let movements: [RecordedMovement]
    /// Nil where there are no more.
    public let next: MovementCursor?

    public init(movements: [RecordedMovement], next: MovementCursor?) {
        self.movements = movements
        self.next = next
    }
}

extension PaymentRelay {
    /// Returns the charged, refunded and voided sums of all clients' payments.
    ///
    /// - Parameter asker: the client; nil for an operator.
    /// - Throws: as ``search(_:)``.
    public func settlement(
        from start: Date, until end: Date, as asker: String? = nil
    ) async throws(JournalError) -> Settlement {
        try await withPlace(in: searches, as: asker) { () throws(JournalError) in
            try await journal.settlement(from: start, until: end)
        }
    }
}
