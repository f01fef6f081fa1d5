import ApplePayToken
public import FoundationEssentials
public import PayrelayPrimitives

/// A payment as the journal keeps it. It does not contain the token, only Apple's identifier of the token. The
/// claim also records the token's digest.
public struct Payment: Sendable, Equatable {
    public let merchantReference: String
    public var command: Order.Command
    public var amount: MinorUnits
    /// ISO 4217, alphabetic.
    public let currency: String
    /// The digest of the request, which distinguishes a replay from another request with the same reference; `nil`
    /// if no request to this service made the payment (``isMadeElsewhere``).
    public let fingerprint: RequestFingerprint?
    /// Apple's `header.transactionId`, hex in lower case, or the iOS Simulator's replacement for it. It is `nil` if
    /// no token came here, because a stored card paid or the payment is external.
    public let appleTransactionIdentifier: String?
    /// When the payment was claimed or, if it is external, first recorded.
    public let claimedAt: Date
    /// The name of the gateway that charged the payment. All later requests about the payment go there.
    public let gateway: String
    /// The merchant's name of the payment's account at the gateway; `nil` if no account is named.
    public let account: String?
    /// The gateway's identifier of the merchant who has the account (``GatewayAccount/merchantIdentifier``). A
    /// request about the payment goes to this merchant or is not sent. `nil` if unknown: then the account's name
    /// decides.
    public let merchantIdentifier: String?
    /// The authenticated client that made the payment, and the only client that sees it; `nil` if clients are not
    /// authenticated.
    public let client: String?
    public var state: PaymentState
    /// Captured and refunded amounts.
    public var balance: Balance
    /// The operations on the payment, oldest first. Only the last one can be open.
    public var operations: [PaymentOperation]
    /// The version for the optimistic lock: how many entries the history had when the payment was read. Each write
    /// adds one.
    public var version: Int
    /// Whether the payment may still hold customer data: the customer's name, addresses or phone number in
    /// receipts, or operators' notes and reasons about the customer.
    public var holdsCustomerData: Bool
    /// The answer to clients, as JSON bytes; `nil` while the payment is processing. Replays return these bytes.
    public var receipt: [UInt8]?
    /// The gateway's number of the charge; `nil` if unknown.
    public var gatewayReference: String?
    /// Whether the gateway's answer to the charge itself named ``gatewayReference``. A number that only a query
    /// named may belong to another attempt with the same reference.
    public var isReferenceOfCharge: Bool
    /// The last four digits of the card's number, if the gateway reported them. Erased with the customer's data.
    public var cardLastFour: String?
    /// The digest of the customer's email, from the order or the gateway's answer. Erased with the customer's data.
    public var emailDigest: EmailDigest?
    /// The customer and the card. Erased with the customer's data.
    public var customer: CustomerDetails
    /// The fields of the gateway's answer that lists show: texts, under the gateway's names. Empty before the first
    /// answer. If an operator settles the payment, or an operation on it, the time is added
    /// (``ResolvedByHand/member``).
    public var summary: JSONObject
    /// The operator who has taken the payment; `nil` if no operator has.
    public var taken: Taken?
    /// The last entry of the history that is in the archive, together with the answers and operations until then;
    /// `nil` if the journal has the whole history.
    public var archivedVersion: Int?
    /// The lease, which says which instance may work on the payment. It has no meaning while nothing is open.
    public var lease: Lease

    /// - Parameter lease: the lease; `nil` for one that expires when it begins.
    public init(
        merchantReference: String, command: Order.Command, amount: MinorUnits, currency: String,
        fingerprint: RequestFingerprint?, appleTransactionIdentifier: String?, claimedAt: Date, gateway: String,
        account: String? = nil, merchantIdentifier: String? = nil, client: String? = nil,
        state: PaymentState = .processing, balance: Balance = Balance(),
        operations: [PaymentOperation] = [], version: Int = 1, holdsCustomerData: Bool = true,
        receipt: [UInt8]? = nil, gatewayReference: String? = nil, isReferenceOfCharge: Bool = false,
        cardLastFour: String? = nil,
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
        self.isReferenceOfCharge = isReferenceOfCharge
        self.cardLastFour = cardLastFour
        self.emailDigest = emailDigest
        self.customer = customer
        self.summary = summary
        self.taken = taken
        self.archivedVersion = archivedVersion
        self.lease = lease ?? Lease(number: 0, expiresAt: claimedAt)
    }

    /// Whether the payment is external: the merchant made it at the gateway directly, for example with its mobile
    /// SDK, and this service knows the payment from a notification.
    public var isMadeElsewhere: Bool { fingerprint == nil }

    /// Whether the client sent the iOS Simulator's token, which `payrelay-dev` accepts.
    public var isSimulated: Bool { appleTransactionIdentifier == PaymentToken.simulatedIdentifier }

    /// The capture, void or refund whose outcome is not known.
    public var openOperation: PaymentOperation? {
        operations.last.flatMap { $0.state.isOpen ? $0 : nil }
    }

    /// Since when an outcome is unknown; `nil` if nothing is open.
    public var openSince: Date? { state.isOpen ? claimedAt : openOperation?.begunAt }

    /// Whether both payments are in the same account of the same merchant. A reference is unique within an account,
    /// and means nothing in another one.
    func hasAccount(of other: Payment) -> Bool {
        guard gateway == other.gateway, account == other.account else { return false }
        guard let merchantIdentifier, let otherIdentifier = other.merchantIdentifier else { return true }
        return merchantIdentifier == otherIdentifier
    }

    /// Whether the outcome of the payment's charge, or of its last operation, is unknown.
    public var isOpen: Bool { state.isOpen || openOperation != nil }
}
