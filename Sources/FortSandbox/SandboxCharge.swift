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
        let fields = parameters.texts
        guard parameters["digital_wallet"]?.stringValue == "APPLE_PAY" else {
            throw SandboxRefusal(status: "00", message: fields["digital_wallet"] == nil ? "001" : "033")
        }
        let faults = ApplePayRequest.faults(in: fields.filter { FortField.named($0.key)?.origin == .order })
        if let fault = faults.first {
            throw SandboxRefusal(status: "00", message: Self.message(for: fault, in: fields[fault.field]))
        }
        for member in parameters.members {
            guard let field = FortField.named(member.name) else { throw SandboxRefusal(status: "00", message: "027") }
            guard field.content == .object || fields[member.name] != nil else {
                throw SandboxRefusal(status: "00", message: "002")
            }
        }
        guard Self.hasWholeToken(parameters), let command = FortCommand(rawValue: fields["command"] ?? ""),
            let amount = Int(fields["amount"] ?? ""),
            let reference = fields["merchant_reference"], let currency = fields["currency"]
        else { throw SandboxRefusal(status: "00", message: "001") }
        self.command = command
        self.amount = amount
        self.currency = currency
        merchantReference = reference
        self.parameters = parameters
    }

    /// Whether every mandatory part of the token is there, at top level or in its object.
    private static func hasWholeToken(_ parameters: JSONObject) -> Bool {
        let objects = [parameters] + ["apple_header", "apple_paymentMethod"].compactMap { parameters[$0]?.objectValue }
        return FortField.all.allSatisfy { field in
            field.origin != .token || !field.isMandatory || objects.contains { $0[field.name] != nil }
        }
    }

    /// FORT tells the kind of fault and not the parameter.
    private static func message(for fault: FortFault, in value: String?) -> String {
        guard let value, !value.isEmpty, let field = FortField.named(fault.field) else { return "001" }
        switch field.content {
        case .amount: return "005"
        case .currency: return "013"
        case .values: return "033"
        default: return value.unicodeScalars.count > field.maximumLength ?? .max ? "032" : "002"
        }
    }

    /// Decrypts the token with the merchant's key and compares what the customer agreed to with what is asked for.
    ///
    /// A token for another certificate, or a changed one, is FORT's unexplained "Failed to execute service".
    func holdAgainstToken(of pki: SandboxPKI) throws(SandboxRefusal) {
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
