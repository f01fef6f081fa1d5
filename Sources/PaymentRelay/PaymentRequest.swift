public import Primitives
public import ApplePayToken

/// A request to pay an order with a token.
public struct PaymentRequest: Sendable {
    public let charge: any PreparedCharge
    /// SHA-256 of the payment request's `applicationData`, where the merchant wants the token's compared with it.
    public let applicationDataHash: HexText?
    public let fingerprint: RequestFingerprint
    /// The `Idempotency-Key` that the client sent, where it did.
    public let idempotencyKey: String?
    /// The authenticated client; nil where clients are not authenticated.
    public let client: String?
    /// The HTTP request's identifier, for the history and the log.
    public let identifier: String

    public init(
        _ charge: any PreparedCharge, applicationDataHash: HexText? = nil, fingerprint: RequestFingerprint,
        idempotencyKey: String? = nil, client: String? = nil, identifier: String
    ) {
        self.charge = charge
        self.applicationDataHash = applicationDataHash
        self.fingerprint = fingerprint
        self.idempotencyKey = idempotencyKey
        self.client = client
        self.identifier = identifier
    }

    public var order: Order { charge.order }
    public var token: PaymentToken { charge.token }

    /// The idempotency key as it is claimed: each client has its own. Neither a client's name nor a key has a space.
    var clientsKey: String? {
        guard let client else { return idempotencyKey }
        return idempotencyKey.map { "\(client) \($0)" }
    }
}
