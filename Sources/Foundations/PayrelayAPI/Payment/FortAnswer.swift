public import PayrelayPrimitives

/// What FORT answered about a payment or an operation, by FORT's names, and why an outcome is still open.
public struct FortAnswer: Sendable, Hashable, Redacted {
    /// Why the outcome is open.
    public let reason: String?
    /// Five digits.
    public let responseCode: String?
    /// What the code means, in one word: `success`, `declined`, …
    public let responseClass: String?
    /// Two digits.
    public let status: String?
    /// FORT's text for the customer's eyes, in the order's language.
    public let responseMessage: String?
    /// FORT's number of the payment, digits.
    public let fortID: String?
    /// `VISA`, `MASTERCARD`, …
    public let paymentOption: String?
    /// The issuer's.
    public let authorizationCode: String?
    /// Masked by FORT.
    public let cardNumber: String?
    /// FORT's electronic commerce indicator: `ECOMMERCE`, or `RECURRING` for a payment of a stored card.
    public let eci: String?
    /// Of the card, four digits, as FORT writes it. A client with an order token gets neither this nor the three after it.
    public let expiryDate: String?
    /// As FORT holds it for the card.
    public let cardHolderName: String?
    /// FORT's name of the stored card, for recurring payments.
    public let tokenName: String?
    /// FORT's number of the agreement on recurring payments.
    public let agreementID: String?
    /// All that FORT answered. A client with an order token does not get it.
    public let processorResponse: JSON?

    init(_ members: DocumentReader) throws(DocumentError) {
        reason = try members.optionalText(PaymentField.reason)
        responseCode = try members.optionalText(PaymentField.responseCode)
        responseClass = try members.optionalText(PaymentField.responseClass)
        status = try members.optionalText(PaymentField.status)
        responseMessage = try members.optionalText(PaymentField.responseMessage)
        fortID = try members.optionalText(PaymentField.fortID)
        paymentOption = try members.optionalText(PaymentField.paymentOption)
        authorizationCode = try members.optionalText(PaymentField.authorizationCode)
        cardNumber = try members.optionalText(PaymentField.cardNumber)
        eci = try members.optionalText(PaymentField.eci)
        expiryDate = try members.optionalText(PaymentField.expiryDate)
        cardHolderName = try members.optionalText(PaymentField.cardHolderName)
        tokenName = try members.optionalText(PaymentField.tokenName)
        agreementID = try members.optionalText(PaymentField.agreementID)
        processorResponse = members.object[PaymentField.processorResponse]
    }

    func write(to json: inout JSONObject) {
        for (name, text) in texts { json[name] = text.map { .string($0) } }
        json[PaymentField.processorResponse] = processorResponse
    }

    private var texts: [(String, String?)] {
        [
            (PaymentField.reason, reason),
            (PaymentField.responseCode, responseCode),
            (PaymentField.responseClass, responseClass),
            (PaymentField.status, status),
            (PaymentField.responseMessage, responseMessage),
            (PaymentField.fortID, fortID),
            (PaymentField.paymentOption, paymentOption),
            (PaymentField.authorizationCode, authorizationCode),
            (PaymentField.cardNumber, cardNumber),
            (PaymentField.eci, eci),
            (PaymentField.expiryDate, expiryDate),
            (PaymentField.cardHolderName, cardHolderName),
            (PaymentField.tokenName, tokenName),
            (PaymentField.agreementID, agreementID),
        ]
    }

    public var description: String { [responseCode, responseClass].compactMap(\.self).joined(separator: " ") }
}
