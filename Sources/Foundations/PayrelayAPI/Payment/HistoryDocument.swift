public import PayrelayPrimitives

/// One change of a payment's outcome, as `PaymentView` in openapi.yaml lists it.
public struct HistoryDocument: Sendable, Hashable {
    /// RFC 3339, in UTC.
    public let at: String
    /// The payment's outcome after the change.
    public let outcome: PaymentOutcome
    /// Number of attempts in this entry: attempts that were not sent share one. ``at`` is of the newest.
    public let times: Int
    /// Time of the first of them, RFC 3339, in UTC; nil for a single attempt.
    public let since: String?
    /// Not for clients with an order token.
    public let reason: String?
    /// Where the entry comes from: `client`, `operator`, `processor_answer`, `check_status`, `recovery`, `retention`, `command_line`,
    /// or a later version's word. Nil for entries of earlier versions. Not for clients with an order token.
    public let source: String?
    /// Who had FORT asked, where the source is `check_status`: `reconciler`, `client`, `operator`, `command_line`, `report`, `notification`
    /// (FORT's feedback had the relay ask), or a later version's word. Not for clients with an order token.
    public let askedBy: String?
    /// Address that got the feedback which had the relay ask: `direct` or `notification`; nil if none did.
    /// Not for clients with an order token.
    public let feedback: String?
    /// The client that asked for the change; nil where none did. Not for clients with an order token.
    public let client: String?
    /// Questions to FORT that came after this entry and changed nothing, counted. Not for clients with an order token.
    public let asked: [QueryDocument]
    /// The operator who asked for the change, in the console; nil where none did. Not for clients with an order token.
    public let operatorName: String?
    /// The request that made the change, as `X-Request-Id` named it. Not for clients with an order token.
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
