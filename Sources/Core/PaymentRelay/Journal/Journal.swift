public import FoundationEssentials

/// The store of payments and their history. It outlives the process: a change that a method reported as written is
/// durable.
///
/// Several instances may share one journal. Only the holder of an open payment's ``Lease`` works on the payment.
/// The instance that charges holds the lease from the claim on, and reconcilers take over expired leases. A slow
/// instance does no harm after its lease was taken over: if the payment has changed since, the instance's change
/// finds another version and is not written, and the instance reads the payment again.
///
/// If no version of this code wrote a row, the row's payment is set aside. Methods that return several payments
/// leave it out and report it to the observer that the journal was opened with.
///
/// A method that throws may or may not have written. If the commit of a claim throws, no client is told that the
/// order was claimed, and nothing is sent for it. If the claim became durable all the same, its lease expires and a
/// reconciler finds it.
public protocol Journal: Sendable {
    /// Writes a change of a payment, with all of these in one step:
    ///
    /// - the entry of the payment's history,
    /// - the money that the change has moved (``Movement``),
    /// - the change of an idempotency key (``Change/keyChange``),
    /// - the redaction of earlier entries (``Change/redaction``).
    ///
    /// This is the only method that writes a payment. The change is written if the payment still has the version
    /// and the claim that were read (``Change/before``), and if the change takes nothing that belongs to another
    /// request. ``Change/obstacle(known:keyUse:isTokenUsed:)`` decides; the look-up and the write are one step.
    ///
    /// ```swift
    /// switch try await journal.commit(change) {
    /// case .written: return change.after  // it is on the disk
    /// case .versionChanged: return try await journal.payment(reference)  // nothing was written
    /// …
    /// }
    /// ```
    ///
    /// A change of a known payment is written once. If the connection is lost after the change became durable and
    /// before the journal has learnt so, the journal may make another attempt, and recognizes its first write by
    /// ``Change/identifier``. If the same change is committed a second time, the result is
    /// ``CommitResult/written``, and nothing is written. The journal makes only one attempt for a claim and for an
    /// external payment.
    ///
    /// The change of an open payment is written even if the payment's lease has expired, or belongs to another
    /// instance by now. A verified answer is true whichever instance holds the lease. The other instance's next
    /// change then finds another version, and that instance reads the payment again.
    func commit(_ change: Change) async throws(JournalError) -> CommitResult

    /// Returns what an idempotency key belongs to; `nil` if the key is free.
    ///
    /// - Parameter key: the key as journals keep it, after its owner's name.
    func use(ofKey key: String) async throws(JournalError) -> KeyUse?

    /// Returns the payments that are known, in any order. A record that cannot be read is among the results, and is
    /// reported to the observer.
    func payments(_ merchantReferences: [String]) async throws(JournalError) -> [Result<Payment, UnreadableRecord>]

    /// Returns the entries of a payment's history, oldest first.
    func history(of merchantReference: String) async throws(JournalError) -> [HistoryEntry]

    /// Returns the next page of the payments that a query describes. The search takes a bounded time, however many
    /// payments there are, and does not block writes. A payment whose record cannot be read is left out and
    /// reported.
    ///
    /// - Parameter query: a query whose ``PaymentQuery/limit`` is within ``PaymentQuery/limits``.
    func search(_ query: PaymentQuery) async throws(JournalError) -> PaymentPage

    /// Returns the sums of the query's payments, over all pages. If there are many, only a bounded number of the
    /// newest payments is read.
    func totals(of query: PaymentQuery) async throws(JournalError) -> PaymentTotals

    /// Returns the next page of the changes that a query describes, of all payments, in a bounded time like
    /// ``search(_:)``. An entry is left out and reported if the entry or its payment cannot be read.
    ///
    /// - Parameter query: a query whose ``ChangeQuery/limit`` is within ``PaymentQuery/limits``.
    func changes(_ query: ChangeQuery) async throws(JournalError) -> ChangePage

    /// Returns the next page of a list of payments, in the list's order. It includes payments whose records cannot
    /// be read.
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
    /// - Parameter place: the end of the last page; `nil` for the first page.
    func list(_ list: PaymentList, after place: PaymentCursor?, limit: Int) async throws(JournalError)
        -> [PaymentCursor]

    /// Returns the counts of open payments, undelivered events and pending hints.
    ///
    /// - Parameter range: the times at which payments that are not overdue were opened. All others are overdue.
    func summary(notOverdueIn range: ClosedRange<Date>) async throws(JournalError) -> JournalSummary

    /// Leases work of a kind that is due by `moment`. The work that has been due longest comes first. Work with a
    /// due time impossibly far ahead is leased, too: the clock was set back after it was written
    /// (``LeasedWork/isDue(_:at:)``). No work is leased twice, however many instances lease at once.
    ///
    /// ```swift
    /// let events = try await journal.lease(DueEvent.self, of: nil, limit: 16, at: now, until: now + 60)
    /// for event in events { await deliver(event) }
    /// ```
    ///
    /// - Parameters:
    ///   - gateway: the gateway whose payments or hints are leased; `nil` for events.
    ///   - expiry: the end of the leases, later than the work can take. After that, another instance may lease the
    ///     work.
    func lease<Work: LeasedWork>(
        _ kind: Work.Type, of gateway: String?, limit: Int, at moment: Date, until expiry: Date
    ) async throws(JournalError) -> [Work]

    /// Ends a lease. If the lease has been taken over, this has no effect, except that a delivery attempt is
    /// recorded.
    func end<Work: LeasedWork>(_ work: Work, as end: Work.End, at moment: Date) async throws(JournalError)

    /// Returns how far the delivery of a payment's events has come, with the newest attempts for each event; `nil`
    /// if there is no such payment. Attempts that no version of this code wrote are left out.
    func eventProgress(of merchantReference: String) async throws(JournalError) -> EventProgress?

    /// Makes events of a payment due at `moment`.
    ///
    /// - Parameter since: events that happened then or later are sent again. If it is `nil`, the waiting events of
    ///   a dead-lettered payment are sent.
    /// - Returns: `false` if there is no such payment, or the payment has no such event.
    func resendEvents(of merchantReference: String, since: Date?, at moment: Date) async throws(JournalError) -> Bool

    /// Adds a hint, about which the gateway is to be queried: at once, or when the cooldown of its row ends.
    ///
    /// - A reference of an account has one row, however many hints came about it. They lead to one query.
    /// - A row without an unanswered hint is in cooldown. It remembers how often the gateway was queried in vain,
    ///   so that repeated hints lead to fewer and fewer queries.
    /// - If the gateway has as many rows as `limit`, a hint about a new reference replaces rows whose cooldown is
    ///   over. The row whose cooldown ended first is replaced first.
    ///
    /// - Parameters:
    ///   - charge: the gateway's number of a charge to query by number; `nil` if the reference is enough. A row
    ///     keeps at most ``PendingHint/chargeLimit`` numbers.
    ///   - kind: the kind of the gateway's address at which the hint arrived.
    ///   - limit: how many rows the gateway may have.
    /// - Returns: `false` if no hint was written. Either every row has an unanswered hint or is in cooldown, or the
    ///   row of the reference cannot hold another charge number.
    func add(
        _ hint: GatewayHint, of gateway: String, charge: String?, kind: FeedbackKind, at moment: Date, limit: Int
    ) async throws(JournalError) -> Bool

    /// Adds a query to the queries that the same requester has made since the same entry of the history. Only the
    /// latest answer is kept. The payment's row does not change.
    ///
    /// At most ``QueryWithoutChange/requestersKept`` requesters are kept; beyond that, the one whose last query is
    /// oldest is dropped. If there is no such entry, this has no effect.
    func record(_ query: QueryWithoutChange, of merchantReference: String) async throws(JournalError)

    /// Returns the queries that changed nothing, for each payment in the order of the entry that they followed and
    /// of their first time. A payment without such queries is not among the results. Rows that no version of this
    /// code wrote are left out.
    func queriesWithoutChange(
        of merchantReferences: [String]
    ) async throws(JournalError) -> [String: [QueryWithoutChange]]

    /// Returns the charged, refunded and voided sums by account and currency.
    ///
    /// - Parameters:
    ///   - start: the beginning of the period in which this service recorded the movements.
    ///   - end: the end of the period (exclusive).
    func settlement(from start: Date, until end: Date) async throws(JournalError) -> Settlement

    /// Returns a page of movements, in the order in which they were recorded.
    ///
    /// - Parameters:
    ///   - end: the end of the period (exclusive).
    ///   - place: the end of the last page; ``MovementCursor/init(start:)`` for the first page.
    func movements(until end: Date, after place: MovementCursor, limit: Int) async throws(JournalError) -> MovementPage

    /// Records the day on which a token for a payment processing certificate was seen. An earlier day does not
    /// replace a later one.
    func recordCertificateUse(_ use: CertificateUse) async throws(JournalError)

    /// Returns the last day for each certificate, the latest first; at most ``CertificateUse/limit``. Rows that no
    /// version of this code wrote are left out.
    func certificateUse() async throws(JournalError) -> [CertificateUse]

    /// Writes as much as a claim does, and as durably, without changing what the other methods return (S16). If it
    /// succeeds, a claim would be durable now.
    ///
    /// - Returns: the reasons why a payment that is durable now could still be lost.
    /// - Throws: the error that a claim would throw.
    @discardableResult func checkDurability() async throws(JournalError) -> [DurabilityGap]

    /// Deletes data without further use: hints whose cooldown ended a day ago, and erased or replaced data that may
    /// still be readable in the journal's own files. A database server's files are left to the server.
    ///
    /// - Throws: an error if another reader of the files prevents it. Call this method again later.
    func purge(at moment: Date) async throws(JournalError)
}

extension Journal {
    /// Returns a payment; `nil` if the journal has no payment of this reference.
    ///
    /// - Throws: ``JournalError/unreadable(_:)`` if no version of this code wrote the payment's row.
    public func payment(_ merchantReference: String) async throws(JournalError) -> Payment? {
        switch try await payments([merchantReference]).first {
        case .success(let payment): payment
        case .failure(let record): throw .unreadable(record)
        case nil: nil
        }
    }

    /// Returns the queries about one payment that changed nothing.
    public func queriesWithoutChange(of merchantReference: String) async throws(JournalError) -> [QueryWithoutChange] {
        try await queriesWithoutChange(of: [merchantReference])[merchantReference] ?? []
    }

    /// Returns the payments that are open (``Payment/isOpen``), leased or not, the longest open first. They are
    /// only for reading: only a lease permits work on them.
    public func openPayments(limit: Int) async throws(JournalError) -> [Payment] {
        let references = try await list(.open, after: nil, limit: limit).map(\.merchantReference)
        let known = try await knownPayments(references)
        return references.compactMap { known[$0] }
    }

    /// Returns the payments that are known and can be read, by their references.
    public func knownPayments(_ references: [String]) async throws(JournalError) -> [String: Payment] {
        var known: [String: Payment] = [:]
        for case .success(let payment) in try await payments(references) { known[payment.merchantReference] = payment }
        return known
    }
}

/// A list of payments, in the order of a moment that each payment has.
public enum PaymentList: Sendable, Equatable {
    /// Payments whose outcome, or whose operation's outcome, is not known, by the time at which they became open.
    case open
    /// Settled payments that still hold customer data (``Payment/holdsCustomerData``), by the time of their claim.
    case holdingCustomerData(claimedBefore: Date)
    /// Payments with an event that happened at `since` or later, by the time of the first such event.
    case withEvents(since: Date)
    /// Payments whose next event was not acknowledged for so long that it is no longer sent, ordered by the time
    /// since when the event has waited.
    case deadLettered
    /// Payments whose next event has waited since before `waitingBefore` and is still sent, ordered by the time since
    /// when the event has waited.
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
    /// When the payment that has been open longest became open.
    public let oldest: Date?
    /// How many have been open for too long.
    public let overdue: Int

    public init(count: Int = 0, oldest: Date? = nil, overdue: Int = 0) {
        self.count = count
        self.oldest = oldest
        self.overdue = overdue
    }
}

/// The end of a page of payments. Payments are listed by a moment, and by reference within the same moment.
public struct PaymentCursor: Sendable, Equatable {
    public let at: Date
    public let merchantReference: String

    public init(at: Date, merchantReference: String) {
        self.at = at
        self.merchantReference = merchantReference
    }
}
