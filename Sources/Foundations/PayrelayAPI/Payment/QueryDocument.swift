public import PayrelayPrimitives

/// Questions to FORT (CHECK_STATUS) that changed nothing: those of one asker after an entry of the history, counted.
public struct QueryDocument: Sendable, Hashable {
    /// `reconciler`, `client`, `operator`, `command_line`, `report`, `notification`, or a later version's word.
    public let askedBy: String
    /// The client that asked; nil where none did, or clients are not authenticated.
    public let client: String?
    /// The operator who asked; nil where none did.
    public let operatorName: String?
    /// Number of queries.
    public let times: Int
    /// Time of the first query: RFC 3339, in UTC.
    public let firstAt: String
    /// Time of the last query: RFC 3339, in UTC.
    public let lastAt: String
    /// Result of the last query: `open`, `unchanged`, `unanswered`, `implausible`, `not_sent`, or a later version's word.
    public let answer: String
    /// FORT's words in the last answer, or the reason why there was none.
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

    /// The questions as the relay writes them.
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
