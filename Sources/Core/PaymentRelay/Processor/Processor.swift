public import PayrelayPrimitives
public import ApplePayToken

/// The service that moves the money: a payment gateway.
///
/// An ``Outcome`` is `answered` where the answer is proven to be the processor's own and to be about the order. An answer that
/// proves nothing is none: the outcome is `unknown`.
public protocol Processor: Sendable {
    /// Validates a request's fields and its token, and names every field that is missing, unknown or out of its limits.
    ///
    /// - Parameters:
    ///   - fields: the order's fields by the names of the API.
    ///   - token: the token that is to pay; a processor may need parts of it that Apple lets be absent.
    func prepare(_ fields: [String: String], with token: PaymentToken) throws(ValidationErrors) -> any PreparedCharge

    /// Validates a recurring payment: a charge of a card that the processor has stored. No token of Apple's pays it.
    func prepareRecurring(_ fields: [String: String]) throws(ValidationErrors) -> any PreparedCharge

    /// Every error of a request whose token could not be read, so that both can be named at once.
    func validationErrors(in fields: [String: String]) -> [ValidationError]

    /// Captures, voids or refunds. It is asked once for an operation.
    ///
    /// - Parameter fields: what the client sent for the processor alone, by the names of the API.
    func perform(
        _ payment: Payment, _ operation: PaymentOperation, fields: [String: String]
    ) async -> Outcome<ProcessorAnswer>

    /// Every error of such a request, before anything is recorded.
    func validationErrors(
        in payment: Payment, _ operation: PaymentOperation, fields: [String: String]
    ) -> [ValidationError]

    /// Asks what became of a payment. Asking changes nothing and may be repeated.
    func status(of payment: Payment) async -> Outcome<ProcessorAnswer>

    /// Asks the same about a reference that is not known here.
    ///
    /// - Parameter account: the merchant's name of the account that is asked.
    func status(of merchantReference: String, account: String) async -> Outcome<ProcessorAnswer>

    /// The merchant's name of the account that charged a payment: only what this account says counts for it. Nil where the account is
    /// no longer configured.
    func account(of payment: Payment) -> String?

    /// Whether an account takes payments in a currency (ISO 4217, alphabetic). True where it names none.
    func account(_ name: String, takes currency: String) -> Bool
}

/// A charge that its processor has validated: nothing is left but to send it. There is no other way to charge, so what
/// was not validated cannot be sent.
public protocol PreparedCharge: Sendable {
    var order: Order { get }
    /// The token that pays it; nil where a stored card does.
    var token: PaymentToken? { get }

    /// Charges. It is called once; a failure is never tried again behind the client's back.
    func send() async -> Outcome<ProcessorAnswer>
}

/// A verified answer of the processor, and what it means for the payment.
public struct ProcessorAnswer: Sendable, Equatable {
    /// What the answer says of the money.
    public enum Meaning: Sendable, Equatable {
        case authorized
        case captured
        case declined
        /// It was authorized once, and the hold was lifted.
        case voided
        /// It was captured once, and the money went back.
        case refunded
        /// Neither yes nor no, yet: on hold, in review, a technical problem after processing began, …
        case pending(reason: String)
        /// The processor already has this order. For a first request it proves that something got through.
        case duplicate
        /// The processor has no such order.
        case notFound
    }

    public let meaning: Meaning
    /// What was authorized, where the answer says so.
    public let authorized: MinorUnits?
    /// What was captured in all, where the answer says so.
    public let captured: MinorUnits?
    /// What was captured and refunded in all, where the answer says both.
    public let totals: Balance?
    /// The name of a field that should hold an amount and holds something else, or is missing beside another.
    public let unreadableNumber: String?
    /// The processor's own number of the payment, where the answer says it.
    public let reference: String?
    /// The processor's fields that a client looks at first, in the processor's names.
    public let summary: JSONObject
    /// Everything the processor answered.
    public let response: JSONObject

    public init(
        meaning: Meaning, authorized: MinorUnits? = nil, captured: MinorUnits? = nil, totals: Balance? = nil,
        unreadableNumber: String? = nil, reference: String? = nil, summary: JSONObject, response: JSONObject
    ) {
        self.meaning = meaning
        self.authorized = authorized
        self.captured = captured
        self.totals = totals
        self.unreadableNumber = unreadableNumber
        // It is a column that is searched, and whoever signs the answer chooses it.
        self.reference = reference?.storable(upTo: Self.referenceLimit)
        self.summary = summary
        self.response = response
    }

    /// Of ``reference``, in bytes.
    private static let referenceLimit = 200
}
