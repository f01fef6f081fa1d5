import ApplePayToken
import FoundationEssentials
import PayrelayPrimitives
import TokenMint

/// An `APay` that has only members that published clients send, with valid values.
struct PortmoneCharge {
    let payeeId: String
    let shopOrderNumber: String
    let amount: MinorUnits
    let currency: Currency
    /// Whether the money is only held.
    let isPreauthorization: Bool
    let outcome: PortmoneOutcome
    /// The members that answers repeat.
    let echoed: [String: String]
    /// Apple's name of the card's network; empty if the token does not name it.
    let cardNetwork: String
    /// Apple's transaction identifier in the token, in lower case.
    let transactionIdentifier: String
    private let token: PaymentToken

    private static let mandatory = ["aPayMerchantName", "paymentData", "billAmount", "shopOrderNumber", "billCurrency"]
    private static let repeated =
        ["description", "lang", "attribute1", "attribute2", "attribute3", "attribute4", "attribute5"]

    init(
        _ data: JSONObject, of accounts: [PortmoneSandboxAccount], settings: ChargeSettings
    ) throws(GatewayError) {
        let members = try RequestMembers(
            data, required: Self.mandatory + RequestMembers.credentials, optional: Self.repeated + ["preauthFlag"],
            objects: ["paymentData"])
        let account = try accounts.account(of: members)
        guard members["aPayMerchantName"]?.isExactly(account.appleMerchantIdentifier) == true else {
            throw .anotherAppleMerchant
        }
        guard let currency = Currency(code: members["billCurrency"] ?? ""), account.currencies.contains(currency)
        else { throw .currencyNotThePayees }
        guard let amount = DecimalAmount.read(members["billAmount"] ?? "", exponent: currency.exponent) else {
            throw .notAnExactDecimal("billAmount")
        }
        payeeId = account.payeeId
        shopOrderNumber = try members.shopOrderNumber(in: data) ?? ""
        self.currency = currency
        self.amount = amount
        isPreauthorization = try Self.isPreauthorization(members["preauthFlag"], settings.preauthorization)
        outcome = PortmoneOutcome(of: .charge, amount: amount.value, shopOrderNumber: shopOrderNumber)
        echoed = members.texts.filter { Self.repeated.contains($0.key) }
        token = try PaymentToken(paymentData: data["paymentData"] ?? .null, encoding: settings.paymentData)
        cardNetwork = token.paymentMethod?.network ?? ""
        transactionIdentifier = token.header.transactionId.text.lowercasedASCII
    }

    private static func isPreauthorization(_ flag: String?, _ rule: Preauthorization) throws(GatewayError) -> Bool {
        guard flag == nil || flag == "Y" || flag == "N" else { throw .invalid("preauthFlag") }
        switch rule {
        case .never where flag == "Y": throw .noPreauthorization
        case .never: return false
        case .onRequest: return flag == "Y"
        case .always: return true
        }
    }

    /// Decrypts the token with the merchant's key, and compares the amount and currency that the customer agreed
    /// to with those of the request.
    ///
    /// - Parameter oldest: the earliest accepted signing time. Older tokens have expired.
    func holdAgainstToken(of pki: SandboxPKI, signedSince oldest: Date) throws(GatewayError) {
        guard let agreed = try? pki.open(token), let signingTime = TokenInspection.signingTime(of: token) else {
            throw .notAToken
        }
        guard signingTime >= oldest else { throw .tokenExpired }
        guard agreed.transactionAmount == amount.value else { throw .tokenForAnotherAmount }
        guard agreed.currencyCode == currency.numericCode else { throw .tokenForAnotherCurrency }
    }
}

extension PaymentToken {
    /// Reads `paymentData` in the configured encoding: either Apple's object of this name, or a whole token that
    /// contains the object.
    fileprivate init(paymentData: JSON, encoding: PaymentDataEncoding) throws(GatewayError) {
        let json: JSON? =
            switch encoding {
            case .object: paymentData
            case .jsonString: paymentData.stringValue.flatMap { try? JSON(parsing: $0) }
            case .base64:
                paymentData.stringValue.flatMap { try? Base64Text($0) }.flatMap { try? JSON(parsing: $0.bytes) }
            }
        guard let object = json?.objectValue, let json,
            let token = try? PaymentToken(json: object["paymentData"] == nil ? ["paymentData": json] : json)
        else { throw .notAToken }
        self = token
    }
}
