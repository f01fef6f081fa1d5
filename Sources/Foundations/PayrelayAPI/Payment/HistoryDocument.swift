public import PayrelayPrimitives

/// A change of a payment's outcome, as an element of the history in `PaymentView` in openapi.yaml.
public struct HistoryDocument: Sendable, Hashable {
    /// When the change was recorded: RFC 3339, in UTC.
    public let at: String
    /// The payment's outcome after the change.
    public let outcome: PaymentOutcome
    /// The number of attempts in this entry. Attempts that were not sent share one entry, and ``at`` is the time
    /// of the newest.
    public let times: Int
    /// The time of the first attempt: RFC 3339, in UTC; `nil` for a single attempt.
    public let since: String?
    /// The reason. Not for clients with an order token.
    public let reason: String?
    /// The source of the entry: `client`, `operator`, `processor_answer`, `check_status`, `recovery`,
    /// `retention`, `command_line`, or a later version's word. `nil` for entries of earlier versions. Not for
    /// clients with an order token.
    public let source: String?
    /// The requester of the status query, if the source is `check_status`: `reconciler`, `client`, `operator`,
    /// `command_line`, `report`, `notification` (FORT's feedback caused the query), or a later version's word.
    /// Not for clients with an order token.
    public let askedBy: String?
    /// The address that received the feedback which caused the query: `direct` or `notification`; `nil` if no
    /// feedback caused it. Not for clients with an order token.
    public let feedback: String?
    /// The client that requested the change; `nil` if no client did. Not for clients with an order token.
    public let client: String?
    /// The queries after this entry that changed nothing, with their numbers. Not for clients with an order
    /// token.
    public let asked: [QueryDocument]
    /// The operator who requested the change in the console; `nil` if no operator did. Not for clients with an
    /// order token.
    public let operatorName: String?
    /// The `X-Request-Id` of the request that made the change. Not for clients with an order token.
    public let requestID: String?

    init(_ members: DocumentReader) throws(DocumentError) {
        at = try members.text(PaymentField.at)
        outcome = PaymentOutcome(rawValue: try members.text(PaymentField.outcome))
        times = try members.optionalCount(PaymentField.times) ?? 1
        since = try members.optionalText(PaymentField.since)
        reason = try members.optionalText(PaymentField.reason)
        operatorName = try members.optionalText(PaymentField.operatorName)
        requestID = try members.optionalText(PaymentField.requestID)
        source = try members.optionalText(PaymentField.source)
        askedBy = try members.optionalText(PaymentField.askedBy)
        feedback = try members.optionalText(PaymentField.feedback)
        client = try members.optionalText(PaymentField.client)
        asked = try (members.list(PaymentField.asked) ?? []).map { json throws(DocumentError) in
            try QueryDocument(DocumentReader(json))
        }
    }

    /// The entry as the relay writes it.
    public var json: JSON {
        var json: JSONObject = [PaymentField.at: .string(at), PaymentField.outcome: .string(outcome.rawValue)]
        if times > 1 { json[PaymentField.times] = JSON(times) }
        json[PaymentField.since] = since.map { .string($0) }
        json[PaymentField.source] = source.map { .string($0) }
        json[PaymentField.askedBy] = askedBy.map { .string($0) }
        json[PaymentField.feedback] = feedback.map { .string($0) }
        json[PaymentField.client] = client.map { .string($0) }
        json[PaymentField.reason] = reason.map { .string($0) }
        json[PaymentField.operatorName] = operatorName.map { .string($0) }
        json[PaymentField.requestID] = requestID.map { .string($0) }
        json[PaymentField.asked] = asked.isEmpty ? nil : .array(asked.map(\.json))
        return .object(json)
    }
}
