import ApplePayToken
public import PayrelayPrimitives
public import FoundationEssentials

/// A payment as the journal keeps it. The token is not here: only its digest and Apple's identifier of it are.
public struct Payment: Sendable, Equatable {
    public let merchantReference: String
    public var command: Order.Command
    public var amount: MinorUnits
    /// ISO 4217, alphabetic.
    public let currency: String
    /// Digest of the request, which tells its replay from another request with the same reference; nil if no request to
    /// this service made the payment (``isMadeElsewhere``).
    public let fingerprint: RequestFingerprint?
    /// Apple's `header.transactionId`, hex in lower case, or what the iOS Simulator's token has in its place; nil where no token came
    /// here: a stored card paid, or the payment was made elsewhere.
    public let appleTransactionIdentifier: String?
    /// When it was claimed, or first recorded from a notification.
    public let claimedAt: Date
    /// The name of the gateway that charged it: what comes later goes there.
    public let gateway: String
    /// The merchant's name of the account at the gateway that has it; nil where none is named.
    public let account: String?
    /// The gateway's identifier of the merchant whose account it is (``GatewayAccount/merchantIdentifier``). Every request about the
    /// payment goes to this merchant or is not sent. `nil` if unknown: then the account's name decides.
    public let merchantIdentifier: String?
    /// The authenticated client that made it, which alone sees it; nil where clients are not authenticated.
    public let client: String?
    public var state: PaymentState
    /// Captured and refunded amounts.
    public var balance: Balance
    /// The operations on it, oldest first. Only the last can be open.
    public var operations: [PaymentOperation]
    /// Optimistic lock: how many entries its history had when it was read. Each write adds one.
    public var version: Int
    /// Whether its receipts may still hold the customer's name, addresses and phone number, or operators' notes and reasons tell of the
    /// customer.
    public var holdsCustomerData: Bool
    /// The answer to clients, as JSON bytes; nil while the payment is processing. Replays return these bytes.
    public var receipt: [UInt8]?
    /// The gateway's own number of the charge; nil if unknown.
    public var gatewayReference: String?
    /// The last four digits of the card's number, where the gateway told them. Erased with the customer's data.
    public var cardLastFour: String?
    /// Of the customer's email, from the order or the gateway's answer. Erased with the customer's data.
    public var emailDigest: EmailDigest?
    /// Who pays, and with which card. Erased with the customer's data.
    public var customer: CustomerDetails
    /// Fields of the gateway's answer that lists show: texts, in the gateway's own names. Empty before the first
    /// answer. An operator who settles the payment, or an operation on it, adds the time (``ResolvedByHand/member``).
    public var summary: JSONObject
    /// The operator who works on it, if one said so.
    public var taken: Taken?
    /// Up to which entry its history is in the archive, with its answers and operations; nil where the journal has all of it.
    public var archivedVersion: Int?
    /// Which instance may work on it; of no meaning while nothing is open.
    public var lease: Lease

    /// - Parameter lease: nil for one that expires as it begins.
    public init(
        merchantReference: String, command: Order.Command, amount: MinorUnits, currency: String,
        fingerprint: RequestFingerprint?, appleTransactionIdentifier: String?, claimedAt: Date, gateway: String,
        account: String? = nil, merchantIdentifier: String? = nil, client: String? = nil,
        state: PaymentState = .processing, balance: Balance = Balance(),
        operations: [PaymentOperation] = [], version: Int = 1, holdsCustomerData: Bool = true,
        receipt: [UInt8]? = nil, gatewayReference: String? = nil, cardLastFour: String? = nil,
        emailDigest: EmailDigest? = nil, customer: CustomerDetails = CustomerDetails(),
        summary: JSONObject = JSONObject(), taken: Taken? = nil, archivedVersion: Int? = nil,
        lease: Lease? = nil
    ) {
        self.merchantReference = merchantReference
        self.command = command
        self.amount = amount
        self.currency = currency
        self.fingerprint = fingerprint
        self.appleTransactionIdentifier = appleTransactionIdentifier
        self.claimedAt = claimedAt
        self.gateway = gateway
        self.account = account
        self.merchantIdentifier = merchantIdentifier
        self.client = client
        self.state = state
        self.balance = balance
        self.operations = operations
        self.version = version
        self.holdsCustomerData = holdsCustomerData
        self.receipt = receipt
        self.gatewayReference = gatewayReference
        self.cardLastFour = cardLastFour
        self.emailDigest = emailDigest
        self.customer = customer
        self.summary = summary
        self.taken = taken
        self.archivedVersion = archivedVersion
        self.lease = lease ?? Lease(number: 0, expiresAt: claimedAt)
    }

    /// Whether the merchant made it with the gateway itself, by its mobile SDK for example, and this service knows
    /// it from a notification.
    public var isMadeElsewhere: Bool { fingerprint == nil }

    /// Whether the client sent the iOS Simulator's token, which `payrelay-dev` takes.
    public var isSimulated: Bool { appleTransactionIdentifier == PaymentToken.simulatedIdentifier }

    /// The capture, void or refund whose outcome is not known.
    public var openOperation: PaymentOperation? {
        operations.last.flatMap { $0.state.isOpen ? $0 : nil }
    }

    /// Since when an outcome is not known; nil where nothing is open.
    public var openSince: Date? { state.isOpen ? claimedAt : openOperation?.begunAt }

    /// Whether both payments are in one account of one merchant: a reference is unique within it, and means nothing in another.
    func hasAccount(of other: Payment) -> Bool {
        guard gateway == other.gateway, account == other.account else { return false }
        guard let merchantIdentifier, let otherIdentifier = other.merchantIdentifier else { return true }
        return merchantIdentifier == otherIdentifier
    }

    /// Whether the outcome of its charge, or of its last operation, is not known.
    public var isOpen: Bool { state.isOpen || openOperation != nil }
}

/// The right to work on an open payment. Until it expires only its holder does; then any instance may take the next
/// lease.
///
/// Instances compare expiry with their own clocks. A clock that is wrong by more than the margin makes two of them ask
/// about one payment; the journal stays right even then, because a change is written only while the payment has the
/// version that was read.
public struct Lease: Sendable, Equatable {
    /// Which lease of the payment this is. Fencing: the claim's own is 0 and each further one counts up, so that the
    /// holder of an expired lease cannot be taken for the present one. Two claims differ in when their leases expire.
    public let number: Int
    public let expiresAt: Date

    public init(number: Int, expiresAt: Date) {
        self.number = number
        self.expiresAt = expiresAt
    }
}
