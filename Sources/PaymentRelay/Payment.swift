public import FoundationEssentials

/// A payment as the journal keeps it. The token is not here: only its digest and Apple's identifier of it are.
public struct Payment: Sendable, Equatable {
    public let merchantReference: String
    public let command: Order.Command
    /// In minor units of `currency`.
    public let amount: Int
    /// ISO 4217, alphabetic.
    public let currency: String
    /// What tells the same request again from another one under the same reference.
    public let fingerprint: RequestFingerprint
    /// Apple's `header.transactionId`, hex in lower case.
    public let appleTransactionIdentifier: String
    /// When it was claimed.
    public let claimedAt: Date
    public var state: PaymentState
    /// What callers were told, as JSON bytes; nil while it is processing. Replays give these bytes again.
    public var receipt: [UInt8]?
    /// Who may work on it; of no meaning once it is settled.
    public var lease: Lease

    /// - Parameter lease: nil for one that expires as it begins.
    public init(
        merchantReference: String, command: Order.Command, amount: Int, currency: String,
        fingerprint: RequestFingerprint, appleTransactionIdentifier: String, claimedAt: Date,
        state: PaymentState = .processing, receipt: [UInt8]? = nil, lease: Lease? = nil
    ) {
        self.merchantReference = merchantReference
        self.command = command
        self.amount = amount
        self.currency = currency
        self.fingerprint = fingerprint
        self.appleTransactionIdentifier = appleTransactionIdentifier
        self.claimedAt = claimedAt
        self.state = state
        self.receipt = receipt
        self.lease = lease ?? Lease(number: 0, expiresAt: claimedAt)
    }
}
