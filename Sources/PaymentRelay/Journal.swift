/// The memory of what was charged. It outlives the process; whatever returned from here is durable.
public protocol Journal: Sendable {
    /// Claims an order and the token that pays it, so that nobody else can. The look and the write are one step.
    ///
    /// A payment that is `not_sent` can be claimed anew, by any request.
    func claim(_ claim: Claim) async throws -> ClaimResult

    /// Moves a payment from one state to another, with its receipt, and adds to its history. `not_sent` gives its token
    /// and its idempotency key free.
    ///
    /// - Returns: false where the payment is no longer in `state`; then nothing was written.
    func move(
        _ merchantReference: String, from state: PaymentState, receipt: [UInt8]?, because entry: HistoryEntry
    ) async throws -> Bool

    /// What is known of a payment; nil where there is none.
    func payment(_ merchantReference: String) async throws -> Payment?

    /// What happened to a payment, oldest first.
    func history(of merchantReference: String) async throws -> [HistoryEntry]

    /// Payments that are open (``PaymentState/isOpen``), the longest open first.
    func openPayments(limit: Int) async throws -> [Payment]
}

/// What a request lays claim to.
public struct Claim: Sendable, Equatable {
    /// In the state `processing`; its reference is claimed.
    public let payment: Payment
    public let token: TokenDigest
    /// The `Idempotency-Key` that the caller sent, where it did.
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
    /// The token already pays another order.
    case tokenTaken
    /// The idempotency key already belongs to another order.
    case idempotencyKeyTaken
}
