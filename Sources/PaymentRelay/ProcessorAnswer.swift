public import OrderedJSON

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
    /// What was taken and given back in all, where the answer tells.
    public let totals: Balance?
    /// The processor's fields that a caller looks at first: `response_code`, `status`, `fort_id`, …
    public let summary: JSONObject
    /// Everything the processor answered.
    public let response: JSONObject

    public init(meaning: Meaning, totals: Balance? = nil, summary: JSONObject, response: JSONObject) {
        self.meaning = meaning
        self.totals = totals
        self.summary = summary
        self.response = response
    }
}
