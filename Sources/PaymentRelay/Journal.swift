public import FoundationEssentials

/// The memory of what was charged. It outlives the process; whatever returned from here is durable.
///
/// Several instances may share one journal. Each open payment is worked on by the one that holds its ``Lease``: the
/// instance that charges has it from the claim on, the reconcilers take over what expired. An instance that is merely slow
/// and comes back after its lease was taken over does no harm: its `move` finds another state, writes nothing and says
/// so, and it reads again what the payment has become.
///
/// A row that no version of this code wrote sets its payment aside: methods that return several payments leave it out and
/// report it to the observer that the journal was opened with.
///
/// A method that throws may have written or not. Nobody is told of a claim that threw, nothing is sent for it, and if it
/// did become durable its lease expires and a reconciler finds it.
public protocol Journal: EventOutbox {
    /// Claims an order and the token that pays it, so that nobody else can. The look and the write are one step.
    ///
    /// A payment that is `not_sent` can be claimed anew (``Payment/canBeClaimedAnew(by:)``), by any request of its client, and
    /// so can the reference of one that was made elsewhere with another account. The claim's lease is the payment's.
    func claim(_ claim: Claim) async throws -> ClaimResult

    /// Adds a payment that was made elsewhere (``Payment/isMadeElsewhere``), with its receipt and the first entry of its
    /// history.
    ///
    /// - Returns: false where its reference is taken; then nothing was written.
    func record(_ payment: Payment, because entry: HistoryEntry) async throws -> Bool

    /// Moves a payment that is being charged from the state it was read in to the entry's state and balance, with its
    /// receipt, and adds the entry to its history. `not_sent` gives its token and its idempotency key free.
    ///
    /// - Returns: false where the payment is no longer in that state, or was claimed anew; then nothing was written.
    func move(_ payment: Payment, receipt: [UInt8]?, because entry: HistoryEntry) async throws -> Bool

    /// Writes a settled payment's new state, balance, operations, receipts and lease over the old ones, and adds to its
    /// history.
    ///
    /// - Returns: false where the payment's version or its lease is no longer that of `old`; then nothing was written.
    func replace(_ old: Payment, with new: Payment, because entry: HistoryEntry) async throws -> Bool

    /// What is known of a payment; nil where there is none.
    ///
    /// - Throws: ``UnreadableRecord`` where its row is one that no version of this code wrote.
    func payment(_ merchantReference: String) async throws -> Payment?

    /// Puts another event in the place of the one that an entry of the history holds, where it holds one.
    ///
    /// - Parameter number: of the entry, counted from 1.
    func replaceEvent(_ number: Int, of merchantReference: String, with event: [UInt8]) async throws

    /// What happened to a payment, oldest first.
    func history(of merchantReference: String) async throws -> [HistoryEntry]

    /// Leases open payments to the caller, those whose lease expired by `moment`, the longest expired first. No payment is
    /// given to two callers, however many ask at once; each comes with its new lease.
    ///
    /// - Parameter expiry: later than the work can take; if it comes, the holder is taken for dead.
    func lease(limit: Int, at moment: Date, until expiry: Date) async throws -> [Payment]

    /// Lets a lease end at `moment`: at once where the payment is free for all, later where it is to be left alone until
    /// then. Without effect where the payment has another lease: a newer one, or that of a newer claim.
    func release(_ merchantReference: String, lease: Lease, at moment: Date) async throws

    /// Payments that are open (``Payment/isOpen``), leased or not, the longest open first. To look at; to work on
    /// them takes a lease.
    func openPayments(limit: Int) async throws -> [Payment]

    /// How many payments are open and since when, however many there are.
    ///
    /// - Parameter moment: what was opened before it is overdue.
    func openSummary(overdueBefore moment: Date) async throws -> OpenSummary

    /// Settled payments that still hold customer data (``Payment/holdsCustomerData``), claimed before `moment`, ordered by
    /// that time. Payments whose records cannot be read are included; the caller skips them.
    ///
    /// - Parameter place: where the last page ended; nil for the first.
    func paymentsHoldingCustomerData(
        claimedBefore moment: Date, after place: PaymentCursor?, limit: Int
    ) async throws -> [PaymentCursor]

    /// Writes something without a meaning as durably as a claim is written, and no less of it: whether a claim would be
    /// durable now. Nothing that the other methods return changes.
    ///
    /// - Throws: what a claim would throw.
    func checkDurability() async throws
}

/// How many payments are open.
public struct OpenSummary: Sendable, Equatable {
    public let count: Int
    /// Since when the one is open that has been open longest.
    public let oldest: Date?
    /// How many have been open for too long.
    public let overdue: Int

    public init(count: Int = 0, oldest: Date? = nil, overdue: Int = 0) {
        self.count = count
        self.oldest = oldest
        self.overdue = overdue
    }
}

/// What a request lays claim to.
public struct Claim: Sendable, Equatable {
    /// In the state `processing`; its reference is claimed.
    public let payment: Payment
    public let token: TokenDigest
    /// The `Idempotency-Key` that the client sent, where it did.
    public let idempotencyKey: String?
    /// The first entry of the history.
    public let entry: HistoryEntry

    public init(payment: Payment, token: TokenDigest, idempotencyKey: String?, entry: HistoryEntry) {
        self.payment = payment
        self.token = token
        self.idempotencyKey = idempotencyKey
        self.entry = entry
    }
}

/// How a claim went.
public enum ClaimResult: Sendable, Equatable {
    /// The order is the caller's, and its claim is durable.
    case claimed
    /// The reference is taken, by this payment.
    case referenceTaken(Payment)
    /// The reference is taken by a payment whose record cannot be read.
    case recordUnreadable(UnreadableRecord)
    /// The token already pays another order.
    case tokenTaken
    /// The idempotency key already belongs to another order.
    case idempotencyKeyTaken
}
