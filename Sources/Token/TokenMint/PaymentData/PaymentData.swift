import ApplePayToken
public import PayrelayPrimitives

/// The payment data in a token, which is encrypted (Apple's "Payment token format reference", "Payment Data
/// Keys").
public struct PaymentData: Equatable, Sendable {
    /// The device account number, which the acquirer charges instead of the card's number.
    public let applicationPrimaryAccountNumber: String
    /// The expiry date as `YYMMDD`.
    public let applicationExpirationDate: String
    /// The currency as three digits of ISO 4217.
    public let currencyCode: String
    /// The amount in minor units.
    public let transactionAmount: Int
    /// The identifier in hexadecimal.
    public let deviceManufacturerIdentifier: String
    /// The 3-D Secure cryptogram in base64.
    public let onlinePaymentCryptogram: String
    public let eciIndicator: String?
}

extension PaymentData {
    /// Creates the data of a test card, with a new cryptogram.
    ///
    /// - Throws: ``TokenMintError``
    init(_ contents: TokenContents) throws(TokenMintError) {
        guard let currencyCode = Currency(code: contents.currency)?.numericCode else {
            throw .unknownCurrency(contents.currency)
        }
        guard contents.amount >= 0 else { throw .negativeAmount }
        self.currencyCode = currencyCode
        transactionAmount = contents.amount
        applicationPrimaryAccountNumber = contents.accountNumber
        applicationExpirationDate = "501231"
        deviceManufacturerIdentifier = "040010030273"
        onlinePaymentCryptogram = Base64Text(encoding: (0..<20).map { _ in .random(in: .min ... .max) }).text
        eciIndicator = contents.network.eciIndicator
    }

    /// The data in Apple's format.
    public var json: JSON {
        var inner: JSONObject = ["onlinePaymentCryptogram": .string(onlinePaymentCryptogram)]
        inner["eciIndicator"] = eciIndicator.map(JSON.string)
        return [
            "applicationPrimaryAccountNumber": .string(applicationPrimaryAccountNumber),
            "applicationExpirationDate": .string(applicationExpirationDate),
            "currencyCode": .string(currencyCode),
            "transactionAmount": JSON(transactionAmount),
            "deviceManufacturerIdentifier": .string(deviceManufacturerIdentifier),
            "paymentDataType": "3DSecure",
            "paymentData": .object(inner),
        ]
    }

    /// Reads data in Apple's format.
    ///
    /// - Throws: ``TokenMintError/malformedPaymentData``
    public init(json: JSON) throws(TokenMintError) {
        guard let number = json["applicationPrimaryAccountNumber"]?.stringValue,
            let expiration = json["applicationExpirationDate"]?.stringValue,
            let currency = json["currencyCode"]?.stringValue,
            case .number(let amountText)? = json["transactionAmount"], let amount = Int(amountText),
            let device = json["deviceManufacturerIdentifier"]?.stringValue,
            json["paymentDataType"] == "3DSecure",
            let cryptogram = json["paymentData"]?["onlinePaymentCryptogram"]?.stringValue
        else { throw .malformedPaymentData }
        applicationPrimaryAccountNumber = number
        applicationExpirationDate = expiration
        currencyCode = currency
        transactionAmount = amount
        deviceManufacturerIdentifier = device
        onlinePaymentCryptogram = cryptogram
        eciIndicator = json["paymentData"]?["eciIndicator"]?.stringValue
    }
}
