public import PayrelayPrimitives

/// One change of a payment's outcome, as `PaymentView` in openapi.yaml lists it.
public struct HistoryDocument: Sendable, Hashable {
    /// RFC 3339, in UTC.
    public let at: String
    /// What the outcome became.
    public let outcome: PaymentOutcome
    /// Not for clients with an order token.
    public let reason: String?
    /// The operator who asked for the change, in the console; nil where none did. Not for clients with an order token.
    public let operatorName: String?
    /// The request that made the change, as `X-Request-Id` named it. Not for clients with an order token.
    public let requestID: String?

    init(_ members: DocumentReader) throws(DocumentError) {
        at = try members.text(PaymentField.at)
        outcome = PaymentOutcome(rawValue: try members.text(PaymentField.outcome))
        reason = try members.optionalText(PaymentField.reason)
        operatorName = try members.optionalText(PaymentField.operatorName)
        requestID = try members.optionalText(PaymentField.requestID)
    }

    /// The entry as the relay writes it.
    public var json: JSON {
        var json: JSONObject = [PaymentField.at: .string(at), PaymentField.outcome: .string(outcome.rawValue)]
        json[PaymentField.reason] = reason.map { .string($0) }
        json[PaymentField.operatorName] = operatorName.map { .string($0) }
        json[PaymentField.requestID] = requestID.map { .string($0) }
        return .object(json)
    }
}
