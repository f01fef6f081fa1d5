public import PayrelayPrimitives

/// A capture, a void or a refund: the receipt of `POST …/capture`, `/void` and `/refund` (`Operation` in
/// openapi.yaml), and each element of a payment's `operations`. A member that a client with an order token may
/// not see is `nil`.
public struct OperationDocument: Sendable, Hashable, Redacted {
    /// `nil` in the operations of a payment.
    public let merchantReference: String?
    /// The command: `CAPTURE`, `VOID_AUTHORIZATION` or `REFUND`.
    public let command: String
    /// The merchant's name of the operation, if it has one (FORT's `maintenance_reference`).
    public let maintenanceReference: String?
    /// The payment's outcome after the operation; `uncertain` while the result is not known.
    public let outcome: PaymentOutcome
    /// The amount in minor units of the payment's currency.
    public let amount: MinorUnits
    /// The ISO 4217 code, three letters.
    public let currency: String?
    /// The total captured amount of the payment after this operation, in minor units.
    public let capturedAmount: MinorUnits?
    /// The total refunded amount of the payment after this operation, in minor units.
    public let refundedAmount: MinorUnits?
    /// The gateway's answer; empty until there is one.
    public let answer: GatewayResponse
    /// The reason in the words of the operator who requested the operation; `nil` if there is none, and in
    /// receipts.
    public let givenReason: String?
    /// When the operation began: RFC 3339, in UTC; `nil` in receipts.
    public let begunAt: String?

    /// - Parameter body: the bytes of the response.
    /// - Throws: ``DocumentError``. Members that this version does not know are ignored.
    public init(parsing body: [UInt8]) throws(DocumentError) {
        try self.init(DocumentReader(parsing: body))
    }

    init(_ members: DocumentReader) throws(DocumentError) {
        merchantReference = try members.optionalText(PaymentField.merchantReference)
        command = try members.text(PaymentField.command)
        maintenanceReference = try members.optionalText(PaymentField.maintenanceReference)
        outcome = PaymentOutcome(rawValue: try members.text(PaymentField.outcome))
        amount = try members.amount(PaymentField.amount)
        currency = try members.optionalText(PaymentField.currency)
        capturedAmount = try members.optionalAmount(PaymentField.capturedAmount)
        refundedAmount = try members.optionalAmount(PaymentField.refundedAmount)
        answer = try GatewayResponse(members)
        givenReason = try members.optionalText(PaymentField.givenReason)
        begunAt = try members.optionalText(PaymentField.begunAt)
    }

    /// The document as the relay writes it.
    public var json: JSON {
        var json = JSONObject()
        json[PaymentField.merchantReference] = merchantReference.map { .string($0) }
        json[PaymentField.command] = .string(command)
        json[PaymentField.maintenanceReference] = maintenanceReference.map { .string($0) }
        json[PaymentField.outcome] = .string(outcome.rawValue)
        json[PaymentField.amount] = JSON(amount)
        json[PaymentField.currency] = currency.map { .string($0) }
        json[PaymentField.capturedAmount] = capturedAmount.map { JSON($0) }
        json[PaymentField.refundedAmount] = refundedAmount.map { JSON($0) }
        answer.write(to: &json)
        json[PaymentField.givenReason] = givenReason.map { .string($0) }
        json[PaymentField.begunAt] = begunAt.map { .string($0) }
        return .object(json)
    }

    public var description: String { "\(command) \(amount) \(outcome)" }
}
