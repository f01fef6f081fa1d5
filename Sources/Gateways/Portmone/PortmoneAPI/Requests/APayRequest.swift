public import ApplePayToken
public import PayrelayPrimitives

/// Portmone's `APay`: charges an Apple Pay token, or holds the money. The fields are documented only by the
/// community: no source except third-party clients shows them.
public struct APayRequest: PortmoneRequest {
    public let shopOrderNumber: String
    public let amount: MinorUnits
    public let currency: Currency
    /// Whether the money is held instead of taken.
    public let isPreauthorization: Bool
    private let token: PaymentToken

    /// - Parameters:
    ///   - shopOrderNumber: the merchant's reference of the order.
    ///   - amount: in minor units of the currency.
    public init(
        shopOrderNumber: String, amount: MinorUnits, currency: Currency, isPreauthorization: Bool, token: PaymentToken
    ) {
        self.shopOrderNumber = shopOrderNumber
        self.amount = amount
        self.currency = currency
        self.isPreauthorization = isPreauthorization
        self.token = token
    }

    public var method: PortmoneMethod { .aPay }

    public func data(for account: PortmoneAccount) -> JSONObject {
        var data: JSONObject = [
            "aPayMerchantName": .string(account.appleMerchantID),
            "paymentData": token.portmonePaymentData(as: account.paymentDataEncoding),
            "billAmount": JSON(amount, in: currency), "shopOrderNumber": .string(shopOrderNumber),
            "billCurrency": .string(currency.code),
        ]
        if isPreauthorization, account.preauthorization == .onRequest { data["preauthFlag"] = "Y" }
        for (name, value) in account.credentials { data[name] = value }
        return data
    }
}

extension PaymentToken {
    /// Returns Apple's `paymentData`, built from the parts of the token as they arrived.
    func portmonePaymentData(as encoding: PaymentDataEncoding) -> JSON {
        var header: JSONObject = ["publicKeyHash": .string(self.header.publicKeyHash.text)]
        header["ephemeralPublicKey"] = self.header.ephemeralPublicKey.map { .string($0.text) }
        header["wrappedKey"] = self.header.wrappedKey.map { .string($0.text) }
        header["transactionId"] = .string(self.header.transactionId.text)
        header["applicationData"] = self.header.applicationData.map { .string($0.text) }
        let object: JSON = [
            "data": .string(data.text), "signature": .string(signature.text), "header": .object(header),
            "version": .string(version.rawValue),
        ]
        switch encoding {
        case .object: return object
        case .jsonString: return .string(String(decoding: object.encoded(), as: UTF8.self))
        case .base64: return .string(Base64Text(encoding: object.encoded()).text)
        }
    }
}
