import ApplePayToken
import FortModule
import Foundation
import PaymentRelay
import PayrelayPrimitives
import TokenMint

/// A valid order and its payment, which tests change.
enum Samples {
    static let fields = [
        "command": "PURCHASE", "merchant_reference": "A", "amount": "10000", "currency": "AED", "language": "en",
        "customer_email": "sara@example.com", "customer_ip": "192.0.2.10",
    ]

    static let recurring = [
        "merchant_reference": "SUB-1", "amount": "4900", "currency": "AED", "language": "en",
        "customer_email": "sara@example.com", "token_name": "Op9Vmp", "agreement_id": "AGR123456789",
    ]

    static func payment(_ command: Order.Command = .purchase, account: String? = nil) throws -> Payment {
        let token = try PaymentToken(
            json: TokenMint().mint(TokenContents(amount: 10_000, currency: "AED"), signedAt: Date()))
        return Payment(
            merchantReference: "A", command: command, amount: 10_000, currency: "AED",
            fingerprint: RequestFingerprint(fields: fields, token: token.digest),
            appleTransactionIdentifier: token.header.transactionId.text, claimedAt: Date(), gateway: "fort",
            account: account)
    }
}

extension ScriptedFort {
    /// Charges the order of the sample fields, with `changes` in place of the sample values.
    func charge(_ changes: [String: String] = [:]) async throws -> Outcome<GatewayAnswer> {
        try await gateway.prepare(Samples.fields.merging(changes) { $1 }, account: "default", with: token).send()
    }
}

extension Outcome<GatewayAnswer> {
    /// The answer, if there is one.
    var answer: GatewayAnswer? {
        if case .answered(let answer) = self { answer } else { nil }
    }

    /// The reason, if the outcome is unknown.
    var unknownReason: String? {
        if case .unknown(let reason) = self { reason } else { nil }
    }
}

extension GatewayAnswer.Meaning {
    /// Whether the answer is inconclusive, for any reason.
    var isPending: Bool {
        if case .pending = self { true } else { false }
    }
}
