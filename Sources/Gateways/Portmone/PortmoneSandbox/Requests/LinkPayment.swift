import Crypto
import PayrelayPrimitives

/// A `createLinkPayment` request. If its signature is right it is answered, but no bill is created.
struct LinkPayment {
    let shopOrderNumber: String

    private static let orderMembers =
        [
            "description", "attribute1", "attribute2", "attribute3", "attribute4", "attribute5", "successUrl",
            "failureUrl", "preauthFlag", "billCurrency", "expTime", "encoding",
        ]
    private static let parts =
        [
            "method", "payee", "order", "token", "payer", "paymentTypes", "priorityPaymentTypes", "autopayment",
            "shipping", "style", "id",
        ]

    init(_ request: JSONObject, of accounts: [PortmoneSandboxAccount]) throws(GatewayError) {
        if let name = request.names.first(where: { !Self.parts.contains($0) }) { throw .unexpected(name.beginning(64)) }
        guard let payee = request["payee"]?.objectValue else { throw .missing("payee") }
        guard let order = request["order"]?.objectValue else { throw .missing("order") }
        let payeeMembers = try RequestMembers(
            payee, required: ["payeeId", "login", "dt", "signature"], optional: ["shopSiteId"])
        let members = try RequestMembers(
            order, required: ["shopOrderNumber", "billAmount"], optional: Self.orderMembers)
        guard let account = accounts.first(where: { $0.payeeId.isExactly(payeeMembers["payeeId"] ?? "") }) else {
            throw .unknownPayee
        }
        guard let key = account.signingKey, account.login.isExactly(payeeMembers["login"] ?? "") else {
            throw .wrongCredentials
        }
        let moment = payeeMembers["dt"] ?? ""
        guard moment.utf8.count == 14, moment.utf8.allSatisfy(\.isASCIIDigit) else { throw .invalid("dt") }
        shopOrderNumber = try members.shopOrderNumber(in: order) ?? ""
        let amount = members["billAmount"] ?? ""
        let signature = Self.signature(
            payeeId: account.payeeId, moment: moment, shopOrderNumber: shopOrderNumber, amount: amount,
            login: account.login, key: key)
        guard Secret(signature) == Secret(payeeMembers["signature"] ?? "") else { throw .wrongSignature }
        let code = members["billCurrency"] ?? account.currencies.map(\.code).min() ?? ""
        guard let currency = Currency(code: code), account.currencies.contains(currency) else {
            throw .currencyNotThePayees
        }
        guard DecimalAmount.read(amount, exponent: currency.exponent) != nil else {
            throw .notAnExactDecimal("billAmount")
        }
    }

    /// Returns the signature: HMAC-SHA-256 in upper-case hexadecimal.
    ///
    /// - Parameters:
    ///   - moment: `dt` as it was sent.
    ///   - amount: `billAmount` as it was written.
    static func signature(
        payeeId: String, moment: String, shopOrderNumber: String, amount: String, login: String, key: Secret
    ) -> String {
        let order = HexText(encoding: Array(shopOrderNumber.utf8)).text
        let name = HexText(encoding: Array(login.utf8)).text
        let message = "\(payeeId)\(moment)\(order)\(amount)\(name)".uppercasedASCII
        let code = HMAC<SHA256>.authenticationCode(
            for: Array(message.utf8), using: SymmetricKey(data: Array(key.exposed.utf8)))
        return HexText(encoding: Array(code)).text.uppercasedASCII
    }

    /// The answer. Its link has a host name that never exists (RFC 6761, 6.4).
    var answer: JSON {
        let order = HexText(encoding: Array(shopOrderNumber.utf8)).text
        return ["errorCode": "0", "error": "", "linkPayment": .string("https://portmone.invalid/pay/\(order)")]
    }
}
