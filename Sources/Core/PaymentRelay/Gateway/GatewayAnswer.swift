public import PayrelayPrimitives

/// A verified answer of the gateway, and what it means for the payment.
public struct GatewayAnswer: Sendable, Equatable {
    /// The state of the charge according to the answer.
    public enum Meaning: Sendable, Equatable {
        case authorized
        case captured
        case declined
        /// The charge was authorized, and the hold was lifted.
        case voided
        /// The charge was captured, and the money was refunded.
        case refunded
        /// The gateway says neither yes nor no: for example, the charge is on hold or in review, or processing had
        /// a technical problem.
        case pending(reason: String)
        /// The gateway already has this order. In the answer to a first request it proves that a request reached
        /// the gateway.
        case duplicate
        /// The gateway has no such order.
        case notFound
    }

    public let meaning: Meaning
    /// The authorized amount; `nil` if the answer does not contain it.
    public let authorized: MinorUnits?
    /// The captured total; `nil` if the answer does not contain it.
    public let captured: MinorUnits?
    /// The captured and refunded totals; `nil` unless the answer contains both.
    public let totals: Balance?
    /// The name of a field that should contain an amount and does not, or that is missing beside another; `nil` if
    /// there is none.
    public let unreadableNumber: String?
    /// Whether the gateway says that it is still working on the order, for example on hold or in review. Totals of
    /// zero then do not prove that nothing will be charged.
    public let isStillDeciding: Bool
    /// Whether a refusal says that the order's state at the gateway does not allow the operation. The gateway then
    /// knows something about the payment that is not recorded here.
    public let isNotAllowed: Bool
    /// The gateway's number of the payment; `nil` if the answer does not contain it.
    public let reference: String?
    /// The fields at the top level of a receipt, in the order of ``AnswerFields``.
    public let summary: JSONObject
    /// The top-level fields that lists show, which are texts.
    let listing: JSONObject
    /// The last four digits of the card's number; `nil` if the answer does not state them.
    let cardLastFour: String?
    /// The names of the listed fields that describe the card.
    let cardMembers: [String]
    let customer: CustomerDetails
    /// The gateway's whole answer.
    public let response: JSONObject

    /// - Parameters:
    ///   - shown: the source of the receipt's members; `nil` for the response.
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
        // Bounded, because it is an external value in a searched column.
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

    /// The limit of ``reference``, in bytes.
    private static let referenceLimit = 200
}
