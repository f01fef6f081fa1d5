public import Primitives

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
    /// The processor's fields that a client looks at first: `response_code`, `status`, `fort_id`, …
    public let summary: JSONObject
    /// Everything the processor answered.
    public let response: JSONObject

    public init(
        meaning: Meaning, authorized: MinorUnits? = nil, captured: MinorUnits? = nil, totals: Balance? = nil,
        unreadableNumber: String? = nil, summary: JSONObject, response: JSONObject
    ) {
        self.meaning = meaning
        self.authorized = authorized
        self.captured = captured
        self.totals = totals
        self.unreadableNumber = unreadableNumber
        self.summary = summary
        self.response = response
    }
}
