public import PayrelayPrimitives

/// The gateway's answer about a payment or an operation, and the reason if an outcome is still open. Members that
/// only one gateway has say so.
public struct GatewayResponse: Sendable, Hashable, Redacted {
    /// Why the outcome is open.
    public let reason: String?
    /// FORT's response code, five digits.
    public let responseCode: String?
    /// The meaning of the code in one word, such as `success` or `declined`.
    public let responseClass: String?
    /// FORT's two digits, or Portmone's word, such as `PAYED`.
    public let status: String?
    /// The gateway's text. FORT's text is for the customer, in the order's language.
    public let responseMessage: String?
    /// FORT's number of the payment, in digits.
    public let fortID: String?
    /// Portmone's number of the bill.
    public let shopBillID: String?
    /// The network, such as `VISA` or `MASTERCARD`.
    public let paymentOption: String?
    /// The issuer's authorization code.
    public let authorizationCode: String?
    /// The card number, masked by the gateway.
    public let cardNumber: String?
    /// FORT's electronic commerce indicator: `ECOMMERCE`, or `RECURRING` for a payment of a stored card.
    public let eci: String?
    /// The card's expiry date, four digits, as FORT writes it. A client with an order token gets neither this nor
    /// the next three members.
    public let expiryDate: String?
    /// The cardholder's name, as FORT holds it for the card.
    public let cardHolderName: String?
    /// FORT's name of the stored card, for recurring payments.
    public let tokenName: String?
    /// FORT's number of the agreement on recurring payments.
    public let agreementID: String?
    /// The gateway's full answer, with its own names. A client with an order token does not get it.
    public let gatewayResponse: JSON?

    init(_ members: DocumentReader) throws(DocumentError) {
        reason = try members.optionalText(PaymentField.reason)
        responseCode = try members.optionalText(PaymentField.responseCode)
        responseClass = try members.optionalText(PaymentField.responseClass)
        status = try members.optionalText(PaymentField.status)
        responseMessage = try members.optionalText(PaymentField.responseMessage)
        fortID = try members.optionalText(PaymentField.fortID)
        shopBillID = try members.optionalText(PaymentField.shopBillID)
        paymentOption = try members.optionalText(PaymentField.paymentOption)
        authorizationCode = try members.optionalText(PaymentField.authorizationCode)
        cardNumber = try members.optionalText(PaymentField.cardNumber)
        eci = try members.optionalText(PaymentField.eci)
        expiryDate = try members.optionalText(PaymentField.expiryDate)
        cardHolderName = try members.optionalText(PaymentField.cardHolderName)
        tokenName = try members.optionalText(PaymentField.tokenName)
        agreementID = try members.optionalText(PaymentField.agreementID)
        gatewayResponse = members.object[PaymentField.gatewayResponse]
    }

    func write(to json: inout JSONObject) {
        for (name, text) in texts { json[name] = text.map { .string($0) } }
        json[PaymentField.gatewayResponse] = gatewayResponse
    }

    private var texts: [(String, String?)] {
        [
            (PaymentField.reason, reason),
            (PaymentField.fortID, fortID),
            (PaymentField.shopBillID, shopBillID),
            (PaymentField.paymentOption, paymentOption),
            (PaymentField.cardNumber, cardNumber),
            (PaymentField.cardHolderName, cardHolderName),
            (PaymentField.authorizationCode, authorizationCode),
            (PaymentField.responseCode, responseCode),
            (PaymentField.responseClass, responseClass),
            (PaymentField.responseMessage, responseMessage),
            (PaymentField.status, status),
            (PaymentField.eci, eci),
            (PaymentField.expiryDate, expiryDate),
            (PaymentField.tokenName, tokenName),
            (PaymentField.agreementID, agreementID),
        ]
    }

    public var description: String { [responseCode, responseClass].compactMap(\.self).joined(separator: " ") }
}
