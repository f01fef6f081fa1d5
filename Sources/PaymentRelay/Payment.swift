public import FoundationEssentials

/// A payment as the journal keeps it. The token is not here: only its digest and Apple's identifier of it are.
public struct Payment: Sendable, Equatable {
    public let merchantReference: String
    public let command: Order.Command
    public let amount: MinorUnits
    /// ISO 4217, alphabetic.
    public let currency: String
    /// What tells the same request again from another one under the same reference; nil where no request to this service made
    /// the payment (``isMadeElsewhere``).
    public let fingerprint: RequestFingerprint?
    /// Apple's `header.transactionId`, hex in lower case; nil where no token came here.
    public let appleTransactionIdentifier: String?
    /// When it was claimed, or first heard of.
    public let claimedAt: Date
    /// The merchant's name of the account at the processor that has it; nil for a payment of a version that did not name the
    /// only one.
    public let account: String?
    /// The authenticated client that made it, which alone sees it; nil where clients are not authenticated.
    public let client: String?
    public var state: PaymentState
    /// What was taken and given back.
    public var balance: Balance
    /// What was done with it after the authorization, oldest first. Only the last can be open.
    public var operations: [PaymentOperation]
    /// As read: how many entries its history has. Each write adds one, so that nobody overwrites what he has not read.
    public var version: Int
    /// Whether its receipts may still hold the customer's name, addresses and phone number.
    public var holdsCustomerData: Bool
    /// What clients were told, as JSON bytes; nil while it is processing. Replays give these bytes again.
    public var receipt: [UInt8]?
    /// Who may work on it; of no meaning once it is settled.
    public var lease: Lease

    /// - Parameter lease: nil for one that expires as it begins.
    public init(
        merchantReference: String, command: Order.Command, amount: MinorUnits, currency: String,
        fingerprint: RequestFingerprint?, appleTransactionIdentifier: String?, claimedAt: Date,
        account: String? = nil, client: String? = nil, state: PaymentState = .processing, balance: Balance = Balance(),
        operations: [PaymentOperation] = [], version: Int = 1, holdsCustomerData: Bool = true,
        receipt: [UInt8]? = nil, lease: Lease? = nil
    ) {
        self.merchantReference = merchantReference
        self.command = command
        self.amount = amount
        self.currency = currency
        self.fingerprint = fingerprint
        self.appleTransactionIdentifier = appleTransactionIdentifier
        self.claimedAt = claimedAt
        self.account = account
        self.client = client
        self.state = state
        self.balance = balance
        self.operations = operations
        self.version = version
        self.holdsCustomerData = holdsCustomerData
        self.receipt = receipt
        self.lease = lease ?? Lease(number: 0, expiresAt: claimedAt)
    }

    /// Whether a client may know that it exists: its own client, and everybody where clients are not told apart.
    func isVisible(to caller: String?) -> Bool {
        caller == nil || caller == client
    }

    /// Whether the merchant made it with the processor itself, by FORT's mobile SDK for example, and this service only heard
    /// of it.
    public var isMadeElsewhere: Bool { fingerprint == nil }

    /// Whether its reference is free: nothing was sent, and the claim is the same client's, whose history it is. Or the
    /// payment was made elsewhere, with another account than the claim's: FORT's references are each account's own, and a
    /// message of one account must not keep the orders of another from being paid.
    public func canBeClaimedAnew(by claim: Claim) -> Bool {
        isMadeElsewhere ? account != claim.payment.account : state == .notSent && client == claim.payment.client
    }

    /// The capture, void or refund whose end is not known.
    public var openOperation: PaymentOperation? {
        operations.last.flatMap { $0.state.isOpen ? $0 : nil }
    }

    /// Since when something about it is not known; nil where nothing is open.
    public var openSince: Date? { state.isOpen ? claimedAt : openOperation?.begunAt }

    /// Whether anything about it is not known: whether it was charged, or whether what was asked for since was done.
    public var isOpen: Bool { state.isOpen || openOperation != nil }
}
