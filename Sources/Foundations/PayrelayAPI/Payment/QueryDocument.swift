public import PayrelayPrimitives

/// The status queries to FORT (CHECK_STATUS) of one requester that followed a history entry and changed nothing.
public struct QueryDocument: Sendable, Hashable {
    /// The requester: `reconciler`, `client`, `operator`, `command_line`, `report`, `notification`, or a later
    /// version's word.
    public let askedBy: String
    /// The client that requested the queries; `nil` if no client did, or if clients are not authenticated.
    public let client: String?
    /// The operator who requested the queries; `nil` if no operator did.
    public let operatorName: String?
    /// The number of queries.
    public let times: Int
    /// The time of the first query: RFC 3339, in UTC.
    public let firstAt: String
    /// The time of the last query: RFC 3339, in UTC.
    public let lastAt: String
    /// The result of the last query: `open`, `unchanged`, `unanswered`, `implausible`, `not_sent`, or a later
    /// version's word.
    public let answer: String
    /// FORT's text in the last answer, or the reason why there was no answer.
    public let reason: String?

    init(_ members: DocumentReader) throws(DocumentError) {
        askedBy = try members.text(PaymentField.askedBy)
        client = try members.optionalText(PaymentField.client)
        operatorName = try members.optionalText(PaymentField.operatorName)
        times = try members.integer(PaymentField.times)
        firstAt = try members.text(PaymentField.firstAt)
        lastAt = try members.text(PaymentField.lastAt)
        answer = try members.text(PaymentField.answer)
        reason = try members.optionalText(PaymentField.reason)
    }

    /// The document as the relay writes it.
    public var json: JSON {
        var json: JSONObject = [PaymentField.askedBy: .string(askedBy)]
        json[PaymentField.client] = client.map { .string($0) }
        json[PaymentField.operatorName] = operatorName.map { .string($0) }
        json[PaymentField.times] = JSON(times)
        json[PaymentField.firstAt] = .string(firstAt)
        json[PaymentField.lastAt] = .string(lastAt)
        json[PaymentField.answer] = .string(answer)
        json[PaymentField.reason] = reason.map { .string($0) }
        return .object(json)
    }
}
