public import ApplePayToken
public import PayrelayPrimitives

/// A request to pay an order, with a token or with a stored card.
public struct PaymentRequest: Sendable {
    public let charge: any PreparedCharge
    /// SHA-256 of the payment request's `applicationData`, if the merchant wants the token's hash compared with it.
    public let applicationDataHash: HexText?
    public let fingerprint: RequestFingerprint
    /// The `Idempotency-Key` that the client sent; `nil` if it sent none.
    public var idempotencyKey: String?
    /// The authenticated client; `nil` if clients are not authenticated.
    public let client: String?
    /// The HTTP request's identifier, for the history and the log.
    public let identifier: String
    /// Whether the client sent the iOS Simulator's token, and the charge sends another token in its place.
    public let isSimulated: Bool

    public init(
        _ charge: any PreparedCharge, applicationDataHash: HexText? = nil, fingerprint: RequestFingerprint,
        idempotencyKey: String? = nil, client: String? = nil, identifier: String, isSimulated: Bool = false
    ) {
        self.charge = charge
        self.applicationDataHash = applicationDataHash
        self.fingerprint = fingerprint
        self.idempotencyKey = idempotencyKey
        self.client = client
        self.identifier = identifier
        self.isSimulated = isSimulated
    }

    public var order: Order { charge.order }
    /// The payment token; `nil` if a stored card pays.
    public var token: PaymentToken? { charge.token }

    /// The idempotency key as journals keep it; `nil` if the client sent none.
    var journaledKey: String? { idempotencyKey.map { KeyOwner.client(client).named($0) } }
}

/// How a request to pay ended, once the charge was sent or a stored answer was found. It is a class for the same
/// reason as ``Change``.
public final class PaymentReply: Sendable {
    /// The payment as journaled.
    public let payment: Payment
    /// Whether this is the stored answer to an earlier request.
    public let isReplay: Bool
    /// How long each step took.
    public let steps: StepTimes

    init(payment: Payment, isReplay: Bool, steps: StepTimes) {
        self.payment = payment
        self.isReplay = isReplay
        self.steps = steps
    }
}

/// Why a request to pay was not carried out. In every case this request has charged nothing.
public enum PaymentRefusal: Error, Sendable, Equatable {
    /// The token failed a check, which the verification names.
    case tokenRefused(TokenVerification)
    /// The same request is still being carried through. Its answer is available soon.
    case inFlight
    /// The reference belongs to another request. `differing` names the members whose values differ from that
    /// request's values, as far as the journal keeps them. It is `nil` if the payment belongs to another client, or
    /// is external.
    case referenceTaken(differing: [String]?)
    /// The reference belongs to a payment whose record in the journal cannot be read.
    case recordUnreadable
    /// The token already pays another order.
    case tokenTaken
    /// The idempotency key belongs to another request.
    case idempotencyKeyTaken
    /// The gateway could not be reached, and nothing was sent.
    case notSent(reason: String)
    /// No answer of the gateway for the account has been verified since this process started
    /// (``UnverifiedAccount``). Nothing was claimed or sent.
    case accountUnverified(reason: String)
    /// The journal could not record the claim, so nothing was sent.
    case journalUnavailable(reason: String)
}
