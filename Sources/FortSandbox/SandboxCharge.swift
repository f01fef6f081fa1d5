import ApplePayToken
import FortAPI
import OrderedJSON
import TokenMint

/// An AUTHORIZATION or PURCHASE whose parameters are within FORT's limits.
struct SandboxCharge {
    let command: FortCommand
    let merchantReference: String
    /// In minor units of `currency`.
    let amount: Int
    let currency: String
    private let parameters: JSONObject

    init(_ parameters: JSONObject) throws(SandboxRefusal) {
        let fields = parameters.fields()
        guard parameters["digital_wallet"]?.stringValue == "APPLE_PAY" else {
            throw SandboxRefusal(status: "00", message: fields["digital_wallet"] == nil ? "001" : "033")
        }
        let faults = ApplePayRequest.faults(in: fields.filter { FortField.named($0.key)?.origin == .order })
        if let fault = faults.first {
            let isMissing = fields[fault.field]?.isEmpty ?? true
            throw SandboxRefusal(status: "00", message: isMissing ? "001" : fault.field == "amount" ? "005" : "002")
        }
        guard fields.keys.allSatisfy({ FortField.named($0) != nil }) else {
            throw SandboxRefusal(status: "00", message: "027")
        }
        guard let command = FortCommand(rawValue: fields["command"] ?? ""), let amount = Int(fields["amount"] ?? ""),
            let reference = fields["merchant_reference"], let currency = fields["currency"]
        else { throw SandboxRefusal(status: "00", message: "001") }
        self.command = command
        self.amount = amount
        self.currency = currency
        merchantReference = reference
        self.parameters = parameters
    }

    /// Decrypts the token with the merchant's key and compares what the customer agreed to with what is asked for.
    ///
    /// A token for another certificate, or a changed one, is FORT's unexplained "Failed to execute service".
    func holdAgainstToken(of pki: SandboxPKI) throws(SandboxRefusal) {
        let method = parameters["apple_paymentMethod"]
        for name in ["apple_displayName", "apple_network", "apple_type"] where method?[name]?.stringValue == nil {
            throw SandboxRefusal(status: "00", message: "001")
        }
        guard let token = try? PaymentToken(json: ["paymentData": applePaymentData]),
            let agreed = try? pki.open(token)
        else { throw SandboxRefusal(status: "00", message: "099") }
        guard agreed.transactionAmount == amount else { throw SandboxRefusal(status: "00", message: "005") }
        guard agreed.currencyCode == Currency(code: currency)?.numericCode else {
            throw SandboxRefusal(status: "00", message: "013")
        }
    }

    /// The token's `paymentData`, put together again from FORT's parameters.
    private var applePaymentData: JSON {
        let sent = parameters["apple_header"]
        var header = JSONObject()
        header["ephemeralPublicKey"] = sent?["apple_ephemeralPublicKey"]
        header["publicKeyHash"] = sent?["apple_publicKeyHash"]
        header["transactionId"] = sent?["apple_transactionId"]
        header["applicationData"] = parameters["apple_applicationData"]
        return [
            "version": "EC_v1", "data": parameters["apple_data"] ?? .null,
            "signature": parameters["apple_signature"] ?? .null, "header": .object(header),
        ]
    }
}

extension JSONObject {
    /// The parameters at top level that are text.
    fileprivate func fields() -> [String: String] {
        var fields: [String: String] = [:]
        for member in members {
            switch member.value {
            case .string(let text): fields[member.name] = text
            case .number(let literal): fields[member.name] = literal
            default: break
            }
        }
        return fields
    }
}
