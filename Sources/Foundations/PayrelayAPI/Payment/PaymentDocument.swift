public import PayrelayPrimitives

/// The relay's document about a payment: the receipt of `POST /v1/payments` (`Payment` in openapi.yaml), or the
/// response of `GET /v1/payments/{merchant_reference}`, which includes the history (`PaymentView`).
///
/// Its description shows only the reference and the outcome.
public struct PaymentDocument: Sendable, Hashable, Redacted {
    /// The merchant's reference of the order.
    public let merchantReference: String
    /// Whether the money was to be authorized only or also captured; or a later version's word.
    public let command: PaymentCommand
    /// The payment's outcome.
    public let outcome: PaymentOutcome
    /// The amount in minor units of ``currency``.
    public let amount: MinorUnits
    /// The ISO 4217 code, three letters.
    public let currency: String
    /// The gateway that charged the payment: `fort`, `portmone`, or a later version's word; `nil` in responses of
    /// earlier versions.
    public let gateway: String?
    /// Whether `payrelay-dev` paid with a minted token instead of the iOS Simulator's token. No other relay does.
    public let isSimulated: Bool
    /// The gateway's answer; empty until there is one.
    public let answer: GatewayResponse
    /// Apple's transaction identifier; `nil` in receipts, and if the relay received no Apple Pay token for this
    /// payment.
    public let appleTransactionIdentifier: String?
    /// Whether the payment is external, which means that it was made at the gateway without payrelay.
    public let isMadeElsewhere: Bool
    /// The customer; `nil` for a client with an order token, in receipts, and if nothing is known or the data was
    /// erased.
    public let customer: CustomerDocument?
    /// The names of members that come only from a notification and that no answer of the gateway to the relay
    /// confirms: `command`, `currency`. Empty except for external payments.
    public let unproven: [String]
    /// The total captured amount in minor units; `nil` in receipts, and if nothing was captured, voided or
    /// refunded.
    public let capturedAmount: MinorUnits?
    /// The total refunded amount in minor units; `nil` if ``capturedAmount`` is.
    public let refundedAmount: MinorUnits?
    /// The captures, voids and refunds, the oldest first.
    public let operations: [OperationDocument]
    /// The changes of the outcome, the oldest first; `nil` in receipts.
    public let history: [HistoryDocument]?
    /// The number of history entries that were left out between the first 20 and the newest 80.
    public let historyOmitted: Int

    /// - Parameter body: the bytes of the response.
    /// - Throws: ``DocumentError``. Members that this version does not know are ignored.
    public init(parsing body: [UInt8]) throws(DocumentError) {
        let members = try DocumentReader(parsing: body)
        merchantReference = try members.text(PaymentField.merchantReference)
        command = PaymentCommand(rawValue: try members.text(PaymentField.command))
        outcome = PaymentOutcome(rawValue: try members.text(PaymentField.outcome))
        amount = try members.amount(PaymentField.amount)
        currency = try members.text(PaymentField.currency)
        gateway = try members.optionalText(PaymentField.gateway)
        isSimulated = try members.flag(PaymentField.simulated)
        unproven = try members.texts(PaymentField.unproven)
        answer = try GatewayResponse(members)
        appleTransactionIdentifier = try members.optionalText(PaymentField.appleTransactionIdentifier)
        isMadeElsewhere = try members.flag(PaymentField.madeElsewhere)
        customer = try members.object[PaymentField.customer].map { json throws(DocumentError) in
            try CustomerDocument(DocumentReader(json))
        }
        capturedAmount = try members.optionalAmount(PaymentField.capturedAmount)
        refundedAmount = try members.optionalAmount(PaymentField.refundedAmount)
        operations = try (members.list(PaymentField.operations) ?? []).map { json throws(DocumentError) in
            try OperationDocument(DocumentReader(json))
        }
        history = try members.list(PaymentField.history)?.map { json throws(DocumentError) in
            try HistoryDocument(DocumentReader(json))
        }
        historyOmitted = try members.optionalCount(PaymentField.historyOmitted) ?? 0
    }

    /// The document as the relay writes it.
    public var json: JSON {
        var json: JSONObject = [
            PaymentField.merchantReference: .string(merchantReference),
            PaymentField.command: .string(command.rawValue),
            PaymentField.outcome: .string(outcome.rawValue),
            PaymentField.amount: JSON(amount),
            PaymentField.currency: .string(currency),
        ]
        json[PaymentField.gateway] = gateway.map { .string($0) }
        json[PaymentField.simulated] = isSimulated ? true : nil
        json[PaymentField.unproven] = unproven.isEmpty ? nil : .array(unproven.map { .string($0) })
        answer.write(to: &json)
        json[PaymentField.appleTransactionIdentifier] = appleTransactionIdentifier.map { .string($0) }
        json[PaymentField.madeElsewhere] = isMadeElsewhere ? true : nil
        json[PaymentField.customer] = customer?.json
        json[PaymentField.capturedAmount] = capturedAmount.map { JSON($0) }
        json[PaymentField.refundedAmount] = refundedAmount.map { JSON($0) }
        json[PaymentField.operations] = operations.isEmpty ? nil : .array(operations.map(\.json))
        json[PaymentField.history] = history.map { .array($0.map(\.json)) }
        if historyOmitted > 0 { json[PaymentField.historyOmitted] = JSON(historyOmitted) }
        return .object(json)
    }

    public var description: String { "\(merchantReference) \(outcome)" }
}
