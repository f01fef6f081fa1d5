public import PayrelayPrimitives

/// A verified answer of the gateway, and what it means for the payment.
public struct GatewayAnswer: Sendable, Equatable {
    /// State of the charge according to the answer.
    public enum Meaning: Sendable, Equatable {
        case authorized
        case captured
        case declined
        /// It was authorized once, and the hold was lifted.
        case voided
        /// It was captured once, and the money went back.
        case refunded
        /// Neither yes nor no: on hold, in review, a technical problem after processing began, …
        case pending(reason: String)
        /// The gateway already has this order. For a first request it proves that something got through.
        case duplicate
        /// The gateway has no such order.
        case notFound
    }

    public let meaning: Meaning
    /// Authorized amount; nil if the answer does not contain it.
    public let authorized: MinorUnits?
    /// Total captured amount; nil if the answer does not contain it.
    public let captured: MinorUnits?
    /// Total captured and refunded amounts; nil unless the answer contains both.
    public let totals: Balance?
    /// The name of a field that should hold an amount and holds something else, or is missing beside another.
    public let unreadableNumber: String?
    /// Whether the gateway says that it is still working on the order: on hold, in review. Totals of zero then do not prove that
    /// nothing will be charged.
    public let isStillDeciding: Bool
    /// Whether a refusal says that the order's state at the gateway does not allow the operation. The gateway then knows something
    /// about the payment that we do not.
    public let isNotAllowed: Bool
    /// The gateway's own number of the payment; nil if the answer does not contain it.
    public let reference: String?
    /// The fields that stand at the top of a receipt, in the order of ``AnswerFields``.
    public let summary: JSONObject
    /// Those of them that lists show: texts.
    let listing: JSONObject
    /// The last four digits of the card's number, where the answer tells them.
    let cardLastFour: String?
    /// Those of ``listing`` that tell with what was paid.
    let cardMembers: [String]
    let customer: CustomerDetails
    /// Everything the gateway answered.
    public let response: JSONObject

    /// - Parameters:
    ///   - shown: what the receipt's members are taken from; nil for the response.
    ///   - fields: the fields of the gateway's answers.
    public init(
        meaning: Meaning, authorized: MinorUnits? = nil, captured: MinorUnits? = nil, totals: Balance? = nil,
        unreadableNumber: String? = nil, isStillDeciding: Bool = false, isNotAllowed: Bool = false,
        reference: String? = nil, shown: JSONObject? = nil, response: JSONObject, fields: AnswerFields
    ) {
        self.meaning = meaning
        self.authorized = authorized
        self.captured = captured
        self.totals = totals
        self.unreadableNumber = unreadableNumber
        self.isStillDeciding = isStillDeciding
        self.isNotAllowed = isNotAllowed
        // A searched column with a value from outside: bounded.
        self.reference = reference?.storable(upTo: Self.referenceLimit)
        self.response = response
        let shown = shown ?? response
        summary = JSONObject(
            distinct: fields.atTop.compactMap { name in
                shown[name].map { JSONObject.Member(name: name, value: $0) }
            })
        listing = summary.filter { $0.value.stringValue != nil && fields.listed.contains($0.name) }
        cardLastFour = fields.cardNumber.flatMap { shown[$0]?.stringValue?.lastFourDigits }
        cardMembers = fields.card
        func text(_ name: String?) -> String? { name.flatMap { response[$0]?.stringValue } }
        customer = CustomerDetails(
            email: text(fields.customerEmail), name: text(fields.customerName), phoneNumber: text(fields.phoneNumber))
    }

    /// Of ``reference``, in bytes.
    private static let referenceLimit = 200
}
