public import FoundationEssentials

/// Where payments and their history are stored. It outlives the process: what a method returned as written is durable.
///
/// Several instances may share one journal. Only the holder of an open payment's ``Lease`` works on it: the instance
/// that charges holds it from the claim on, and the reconcilers take over expired leases. An instance that is slow and
/// comes back after its lease was taken over does no harm: if the payment has changed since, its change finds another version and is not
/// written, and it reads again what the payment has become.
///
/// A row that no version of this code wrote sets its payment aside: methods that return several payments leave it out
/// and report it to the observer that the journal was opened with.
///
/// A method that throws may have written or not. If the commit of a claim throws, no client is told that the order was claimed, nothing is
/// sent for it, and if it did become durable its lease expires and a reconciler finds it.
public protocol Journal: Sendable {
    /// Writes a change of a payment with its entry in the history, with what it has moved of money (``Movement``), with what it does to
    /// idempotency keys (``Change/keyChange``), and with what it redacts (``Change/redaction``). This is the only write of a payment.
    ///
    /// The change is written while the payment has the version that was read, of the same claim (``Change/before``), and if the change takes nothing that
    /// belongs to another request. ``Change/obstacle(known:keyUse:isTokenUsed:)`` decides; the look-up and the write are one step.
    ///
    /// ```swift
    /// switch try await journal.commit(change) {
    /// case .written: return change.after  // it is on the disk
    /// case .versionChanged: return try await journal.payment(reference)  // nothing was written
    /// …
    /// }
    /// ```
    ///
    /// A change of a known payment is written once. If the connection is lost after the change became durable and before the journal
    /// learnt of it, the journal may try again, and finds its own write by ``Change/identifier``. The same change committed a second time
    /// is ``CommitResult/written``, and nothing is written. A claim and an external payment are not tried again.
    ///
    /// The change of an open payment is written also if the payment's lease has expired or is another instance's by now: a verified
    /// answer is true whoever holds the lease, and what the other instance does next meets another version and reads the payment again.
    func commit(_ change: Change) async throws(JournalError) -> CommitResult

    /// Returns what an idempotency key belongs to; `nil` if the key is free.
    ///
    /// - Parameter key: as journals keep it, after its owner's name.
    func use(ofKey key: String) async throws(JournalError) -> KeyUse?

    /// Those of the payments that are known, in any order. A record that cannot be read is among them, and the observer
    /// is called with it.
    func payments(_ merchantReferences: [String]) async throws(JournalError) -> [Result<Payment, UnreadableRecord>]

    /// Returns the entries of a payment's history, oldest first.
    func history(of merchantReference: String) async throws(JournalError) -> [HistoryEntry]

    /// The next page of the payments that a query describes. It takes a bounded time, however many payments there are, and keeps no
    /// write waiting. A payment whose record cannot be read is left out and reported.
    ///
    /// - Parameter query: its ``PaymentQuery/limit`` is within ``PaymentQuery/limits``.
    func search(_ query: PaymentQuery) async throws(JournalError) -> PaymentPage

    /// The query's payments in sums, on whatever page they are; of many, a bounded number of the newest is looked at.
    func totals(of query: PaymentQuery) async throws(JournalError) -> PaymentTotals

    /// The next page of the changes that a query describes, of all payments, in a bounded time as ``search(_:)``. An entry that cannot be
    /// read, or whose payment cannot, is left out and reported.
    ///
    /// - Parameter query: its ``ChangeQuery/limit`` is within ``PaymentQuery/limits``.
    func changes(_ query: ChangeQuery) async throws(JournalError) -> ChangePage

    /// The payments of a list, in its order, also those whose records cannot be read.
    ///
    /// ```swift
    /// var place: PaymentCursor?
    /// repeat {
    ///     let page = try await journal.list(.open, after: place, limit: 100)
    ///     for payment in page { print(payment.merchantReference) }
    ///     place = page.last
    /// } while place != nil
    /// ```
    ///
    /// - Parameter place: where the last page ended; nil for the first.
    func list(_ list: PaymentList, after place: PaymentCursor?, limit: Int) async throws(JournalError)
        -> [PaymentCursor]

    /// Returns the counts of open payments, undelivered events and pending hints.
    ///
    /// - Parameter range: payments that were not opened in it are overdue.
    func summary(notOverdueIn range: ClosedRange<Date>) async throws(JournalError) -> JournalSummary

    /// Leases work of a kind that is due by `moment`, the longest due first, and what is due so late that the clock was set back since it was
    /// written (``LeasedWork/isDue(_:at:)``). Nothing is leased twice, however many instances ask at once.
    ///
    /// ```swift
    /// for event in try await journal.lease(DueEvent.self, of: nil, limit: 16, at: now, until: now + 60) { await deliver(event) }
    /// ```
    ///
    /// - Parameters:
    ///   - gateway: whose payments or hints; nil for events.
    ///   - expiry: later than the work can take; then another instance may lease it.
    func lease<Work: LeasedWork>(
        _ kind: Work.Type, of gateway: String?, limit: Int, at moment: Date, until expiry: Date
    ) async throws(JournalError) -> [Work]

    /// Ends a lease. Without effect where it is no longer the work's; a delivery attempt is recorded all the same.
    func end<Work: LeasedWork>(_ work: Work, as end: Work.End, at moment: Date) async throws(JournalError)

    /// How far the payment's events have come, with the newest attempts at each; nil where there is no such payment. Attempts that no
    /// version of this code wrote are left out.
    func eventProgress(of merchantReference: String) async throws(JournalError) -> EventProgress?

    /// Makes events of a payment due at `moment`.
    ///
    /// - Parameter since: those that happened then or later are sent again; nil for what a dead-lettered payment has waiting.
    /// - Returns: false where there is no such payment, or no such event of it.
    func resendEvents(of merchantReference: String, since: Date?, at moment: Date) async throws(JournalError) -> Bool

    /// Adds a hint, about which the gateway is to be asked: at once, or when the rest of its row ends.
    ///
    /// A reference of an account has one row, however many hints there are about it: they lead to one question. A row without an
    /// unanswered hint rests: it remembers how often the gateway was asked in vain, so that repeated hints lead to fewer and fewer questions.
    ///
    /// - Parameters:
    ///   - charge: the gateway's number of a charge that is to be queried by it; `nil` if the reference is enough. A row keeps
    ///     ``PendingHint/chargeLimit`` numbers.
    ///   - kind: by which of the gateway's addresses it came.
    ///   - limit: how many rows the gateway may have. Where it has as many, rows of it whose rest is over give way to one for
    ///     another reference, first those that have rested longest.
    /// - Returns: false if there is no room, because all rows wait or still rest, or because the row has no room for the number; then no
    ///   hint was written.
    func add(
        _ hint: GatewayHint, of gateway: String, charge: String?, kind: FeedbackKind, at moment: Date, limit: Int
    ) async throws(JournalError) -> Bool

    /// Adds a question to those that the same asker has made since the same entry: its answer is the last one then. Nothing of the
    /// payment's own row is changed by it.
    ///
    /// Of askers beyond ``QueryWithoutChange/askersKept`` the one that has not asked for longest is left out. Without effect where there
    /// is no such entry.
    func record(_ query: QueryWithoutChange, of merchantReference: String) async throws(JournalError)

    /// The questions about payments that changed nothing, of each by the entry that they came after and by their first time. A payment
    /// without any is not among them. Rows that no version of this code wrote are left out.
    func queriesWithoutChange(
        of merchantReferences: [String]
    ) async throws(JournalError) -> [String: [QueryWithoutChange]]

    /// Returns the charged, refunded and voided sums by account and currency.
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
    func movements(until end: Date, after place: MovementCursor, limit: Int) async throws(JournalError) -> MovementPage

    /// Notes that a token for a payment processing certificate was seen on that day. An earlier day does not replace a later one.
    func recordCertificateUse(_ use: CertificateUse) async throws(JournalError)

    /// The last day for each certificate, the latest first; at most ``CertificateUse/limit``. Rows that no version of this code
    /// wrote are left out.
    func certificateUse() async throws(JournalError) -> [CertificateUse]

    /// S16: writes as much as a claim does, and as durably, without changing what the other methods return. Where it
    /// succeeds, a claim would be durable now.
    ///
    /// - Returns: how what is durable now could still be lost.
    /// - Throws: what a claim would throw.
    @discardableResult func checkDurability() async throws(JournalError) -> [DurabilityGap]

    /// Deletes what is of no use any more: hints that have rested for a day, and in the journal's own files what was erased and
    /// replaced, where it may still be readable. A database server's files are left to the server.
    ///
    /// - Throws: where another reader of the files prevents it. Call it again later.
    func purge(at moment: Date) async throws(JournalError)
}

extension Journal {
    /// Returns a payment; nil if the journal has none of this reference.
    ///
    /// - Throws: ``JournalError/unreadable(_:)`` where its row is one that no version of this code wrote.
    public func payment(_ merchantReference: String) async throws(JournalError) -> Payment? {
        switch try await payments([merchantReference]).first {
        case .success(let payment): payment
        case .failure(let record): throw .unreadable(record)
        case nil: nil
        }
    }

    /// The questions about one payment that changed nothing.
    public func queriesWithoutChange(of merchantReference: String) async throws(JournalError) -> [QueryWithoutChange] {
        try await queriesWithoutChange(of: [merchantReference])[merchantReference] ?? []
    }

    /// Payments that are open (``Payment/isOpen``), leased or not, the longest open first. They are for reading: only
    /// a lease permits work on them.
    public func openPayments(limit: Int) async throws(JournalError) -> [Payment] {
        let references = try await list(.open, after: nil, limit: limit).map(\.merchantReference)
        let known = try await knownPayments(references)
        return references.compactMap { known[$0] }
    }

    /// Those of the payments that are known and can be read, by their references.
    public func knownPayments(_ references: [String]) async throws(JournalError) -> [String: Payment] {
        var known: [String: Payment] = [:]
        for case .success(let payment) in try await payments(references) { known[payment.merchantReference] = payment }
        return known
    }
}

/// A list of payments, by a moment that each has.
public enum PaymentList: Sendable, Equatable {
    /// Whose outcome, or that of an operation, is not known, by when they were opened.
    case open
    /// Settled payments that still hold customer data (``Payment/holdsCustomerData``), by when they were claimed.
    case holdingCustomerData(claimedBefore: Date)
    /// With an event that happened at that time or later, each once, by when the first of those happened.
    case withEvents(since: Date)
    /// Whose next event was refused for too long, by since when it has waited.
    case deadLettered
    /// Whose next event has waited since before then, and is still sent, by since when it has waited.
    case undelivered(waitingBefore: Date)
}

/// Counts of open payments, undelivered events and pending hints.
public struct JournalSummary: Sendable, Equatable {
    public let payments: OpenSummary
    public let events: EventSummary
    public let hints: HintSummary

    public init(
        payments: OpenSummary = OpenSummary(), events: EventSummary = EventSummary(), hints: HintSummary = HintSummary()
    ) {
        self.payments = payments
        self.events = events
        self.hints = hints
    }
}

/// How many payments are open.
public struct OpenSummary: Sendable, Equatable {
    public let count: Int
    /// When the payment became open that has been open longest.
    public let oldest: Date?
    /// How many have been open for too long.
    public let overdue: Int

    public init(count: Int = 0, oldest: Date? = nil, overdue: Int = 0) {
        self.count = count
        self.oldest = oldest
        self.overdue = overdue
    }
}

/// Where a page of payments ends: they are listed by a moment, and those of the same moment by reference.
public struct PaymentCursor: Sendable, Equatable {
    public let at: Date
    public let merchantReference: String

    public init(at: Date, merchantReference: String) {
        self.at = at
        self.merchantReference = merchantReference
    }
}
