public import FoundationEssentials
import PayrelayPrimitives

/// What moved money, as a journal keeps it: a row for each movement, written with the change that moved the money
/// (``Movement/made(from:to:_:of:)``), and never changed.
///
/// A movement stays where its payment's reference is claimed anew for another account.
public protocol Ledger: Sendable {
    /// What was charged, refunded and voided by account and currency.
    ///
    /// - Parameters:
    ///   - start: of the time in which this service recorded it.
    ///   - end: the first moment after it.
    func settlement(from start: Date, until end: Date) async throws(JournalError) -> Settlement

    /// Movements in the order in which they were recorded.
    ///
    /// - Parameters:
    ///   - end: the first moment after the last.
    ///   - place: where the last page ended; ``MovementCursor/init(start:)`` for the first.
    func movements(
        until end: Date, after place: MovementCursor, limit: Int
    ) async throws(JournalError) -> MovementPage

    /// Those of the payments that are known, in any order. A record that cannot be read is among them, and the observer
    /// is called with it.
    func payments(
        _ merchantReferences: [String]
    ) async throws(JournalError) -> [Result<Payment, UnreadableRecord>]
}

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
    /// What was charged, refunded and voided, of every client's payments.
    public func settlement(from start: Date, until end: Date) async throws(JournalError) -> Settlement {
        try await journal.settlement(from: start, until: end)
    }
}
