public import PayrelayPrimitives

/// The relay's document about a payment: the receipt of `POST /v1/payments` (`Payment` in openapi.yaml), or with its
/// history the answer of `GET /v1/payments/{merchant_reference}` (`PaymentView`).
///
/// A description of it shows the reference and the outcome alone.
public struct PaymentDocument: Sendable, Hashable, Redacted {
    /// The merchant's name of the order.
    public let merchantReference: String
    /// Whether the money was to be held or taken, or a later version's word.
    public let command: PaymentCommand
    /// The payment's outcome.
    public let outcome: PaymentOutcome
    /// In minor units of ``currency``.
    public let amount: MinorUnits
    /// ISO 4217, three letters.
    public let currency: String
    /// The gateway that charged it: `fort`, `portmone`, or a later version's word; nil in answers of earlier versions.
    public let gateway: String?
    /// Whether `payrelay-dev` paid with a minted token in place of the iOS Simulator's. No other relay does.
    public let isSimulated: Bool
    /// The gateway's answer; empty until there is one.
    public let answer: GatewayResponse
    /// Nil where the relay did not take an Apple Pay token for this payment, and in receipts.
    public let appleTransactionIdentifier: String?
    /// Whether the merchant made the payment with the gateway itself.
    public let isMadeElsewhere: Bool
    /// Nil for a client with an order token, in receipts, and where nothing is known or it was erased.
    public let customer: CustomerDocument?
    /// Names of members that only a notification said, and no answer of the gateway to the relay proves: `command`, `currency`. Empty but for
    /// payments that were made elsewhere.
    public let unproven: [String]
    /// In all, in minor units; nil where nothing was captured, voided or refunded, and in receipts.
    public let capturedAmount: MinorUnits?
    /// In all, in minor units; nil as ``capturedAmount`` is.
    public let refundedAmount: MinorUnits?
    /// Captures, voids and refunds, oldest first.
    public let operations: [OperationDocument]
    /// Each change of the outcome, oldest first; nil in receipts.
    public let history: [HistoryDocument]?
    /// How many entries of the history were left out, after the first 20 and before the newest 80.
    public let historyOmitted: Int

    /// - Parameter body: the answer's bytes.
    /// - Throws: ``DocumentError``. Members that this version does not know are passed over.
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
