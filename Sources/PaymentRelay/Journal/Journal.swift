public import FoundationEssentials

/// Where payments and their history are stored. It outlives the process: what a method returned as written is durable.
///
/// Several instances may share one journal. Only the holder of an open payment's ``Lease`` works on it: the instance
/// that charges holds it from the claim on, and the reconcilers take over expired leases. An instance that is slow and
/// comes back after its lease was taken over does no harm: its `transition` finds another state and writes nothing, and
/// it reads again what the payment has become.
///
/// A row that no version of this code wrote sets its payment aside: methods that return several payments leave it out
/// and report it to the observer that the journal was opened with.
///
/// A method that throws may have written or not. No client is answered that a claim that threw was made, nothing is
/// sent for it, and if it did become durable its lease expires and a reconciler finds it.
public protocol Journal: EventOutbox, HintQueue, QueryLog, PaymentSearch, Ledger, CertificateUseLog {
    /// Claims an order and the token that pays it, so that no other request can. The look-up and the write are one
    /// step.
    ///
    /// ``Claim/conflict(with:isTokenUsed:isKeyTaken:)`` decides what can be claimed. The claim's lease is the payment's.
    func claim(_ claim: Claim) async throws(JournalError) -> ClaimResult

    /// Adds a payment that was made elsewhere (``Payment/isMadeElsewhere``), with its receipt and the first entry of
    /// its history.
    ///
    /// - Returns: false where its reference is taken; then nothing was written.
    func record(_ payment: Payment, because entry: HistoryEntry) async throws(JournalError) -> Bool

    /// Takes a payment that is being charged from the state it was read in to the entry's state and balance, with its
    /// receipt, and adds the entry to its history. ``PaymentState/freesTokenAndKey`` says which state gives up token
    /// and key.
    ///
    /// - Returns: false where the payment is no longer in that state, or was claimed again; then nothing was written.
    func transition(_ payment: Payment, receipt: [UInt8]?, because entry: HistoryEntry) async throws(JournalError)
        -> Bool

    /// Optimistic lock: writes a settled payment's new state, balance, operations, receipts and lease over the old
    /// ones, and adds to its history.
    ///
    /// - Returns: false where the payment's version or its lease is no longer that of `old`; then nothing was written.
    func compareAndSet(_ old: Payment, to new: Payment, because entry: HistoryEntry) async throws(JournalError) -> Bool

    /// What is known of a payment; nil where there is none.
    ///
    /// - Throws: ``JournalError/unreadable(_:)`` where its row is one that no version of this code wrote.
    func payment(_ merchantReference: String) async throws(JournalError) -> Payment?

    /// Writes a redacted event over the one that an entry of the history holds, where it holds one.
    ///
    /// - Parameter number: of the entry, counted from 1.
    func redactEvent(_ number: Int, of merchantReference: String, to event: [UInt8]) async throws(JournalError)

    /// What happened to a payment, oldest first.
    func history(of merchantReference: String) async throws(JournalError) -> [HistoryEntry]

    /// Leases open payments to the calling instance, those whose lease expired by `moment`, the longest expired first.
    /// No payment is leased twice, however many instances ask at once; each comes with its new lease.
    ///
    /// - Parameter expiry: later than the work can take; then another instance may lease it.
    func lease(limit: Int, at moment: Date, until expiry: Date) async throws(JournalError) -> [Payment]

    /// Ends a lease at `moment`: at once where any instance may take the payment over, later where it is to be left
    /// alone until then. Without effect where the payment has another lease: a newer one, or that of a newer claim.
    func release(_ merchantReference: String, lease: Lease, at moment: Date) async throws(JournalError)

    /// Payments that are open (``Payment/isOpen``), leased or not, the longest open first. They are for reading: only
    /// a lease permits work on them.
    func openPayments(limit: Int) async throws(JournalError) -> [Payment]

    /// How many payments are open and since when, however many there are.
    ///
    /// - Parameter moment: what was opened before it is overdue.
    func openSummary(overdueBefore moment: Date) async throws(JournalError) -> OpenSummary

    /// Settled payments that still hold customer data (``Payment/holdsCustomerData``), claimed before `moment`, ordered
    /// by that time. Payments whose records cannot be read are included; the caller of the function skips them.
    ///
    /// - Parameter place: where the last page ended; nil for the first.
    func paymentsHoldingCustomerData(
        claimedBefore moment: Date, after place: PaymentCursor?, limit: Int
    ) async throws(JournalError) -> [PaymentCursor]

    /// S16: writes as much as a claim does, and as durably, without changing what the other methods return. Where it
    /// succeeds, a claim would be durable now.
    ///
    /// - Throws: what a claim would throw.
    func checkDurability() async throws(JournalError)

    /// Removes erased and replaced data from the journal's own files, where it may still be readable. A database server's files are left
    /// to the server.
    ///
    /// - Throws: where another reader of the files prevents it. Call it again later.
    func purgeErased() async throws(JournalError)
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

    /// The first of those that come after `place`, in order.
    static func page(of all: [PaymentCursor], after place: PaymentCursor?, limit: Int) -> [PaymentCursor] {
        let later = all.filter { place?.isBefore($0) ?? true }
        return Array(later.sorted { $0.isBefore($1) }.prefix(limit))
    }

    private func isBefore(_ other: PaymentCursor) -> Bool {
        (at, merchantReference) < (other.at, other.merchantReference)
    }
}
