public import FoundationEssentials
import PayrelayPrimitives

/// The end of a page of movements.
public struct MovementCursor: Sendable, Equatable {
    public let at: Date
    public let merchantReference: String
    /// A number that identifies the change of the payment. The journal defines its meaning.
    public let entry: Int
    public let kind: Int

    public init(at: Date, merchantReference: String, entry: Int, kind: Int) {
        self.at = at
        self.merchantReference = merchantReference
        self.entry = entry
        self.kind = kind
    }

    /// Creates the place before the first movement at this moment, because no reference is empty.
    public init(start: Date) {
        self.init(at: start, merchantReference: "", entry: 0, kind: 0)
    }
}

/// A page of movements.
public struct MovementPage: Sendable, Equatable {
    /// The movements that can be read. The others are reported to the journal's observer.
    public let movements: [RecordedMovement]
    /// The end of this page, after which the next one begins; `nil` if this page is the last.
    public let next: MovementCursor?

    public init(movements: [RecordedMovement], next: MovementCursor?) {
        self.movements = movements
        self.next = next
    }
}

extension PaymentRelay {
    /// Returns the charged, refunded and voided sums of all clients' payments.
    ///
    /// - Parameter requester: the client; `nil` for an operator.
    /// - Throws: as ``search(_:)``.
    public func settlement(
        from start: Date, until end: Date, as requester: String? = nil
    ) async throws(JournalError) -> Settlement {
        try await withSlot(in: searches, as: requester) { () throws(JournalError) in
            try await journal.settlement(from: start, until: end)
        }
    }
}
