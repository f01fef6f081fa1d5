import ApplePayToken
import FortAPI
import Foundation
import OrderedJSON
import TokenMint

@testable import FortSandbox

/// A sandbox and a merchant who speaks FORT's language to it, without HTTP.
struct SandboxBench {
    let account: FortAccount
    let sandbox: FortSandbox

    init() throws {
        account = try FortAccount(
            accessCode: "ACCESS", merchantIdentifier: "MERCHANT", requestPhrase: Secret("REQ"),
            responsePhrase: Secret("RES"))
        sandbox = FortSandbox(account: account)
    }

    /// The answer to a payment of this amount with a token for it, verified.
    func pay(_ reference: String, amount: Int = 10_000) async throws -> FortAnswer {
        let token = try PaymentToken(
            json: TokenMint().mint(TokenContents(amount: amount, currency: "AED"), signedAt: Date()))
        let order = [
            "command": "PURCHASE", "merchant_reference": reference, "amount": String(amount), "currency": "AED",
            "language": "en", "customer_email": "sara@example.com", "customer_ip": "192.0.2.10",
        ]
        let parameters = AppleParameters(
            data: token.data.text, signature: token.signature.text, transactionId: token.header.transactionId.text,
            ephemeralPublicKey: token.header.ephemeralPublicKey?.text ?? "",
            publicKeyHash: token.header.publicKeyHash.text, displayName: "Visa 0492", network: "Visa", type: "debit")
        return try await send(FortMessage(signing: ApplePayRequest(order: order, token: parameters), for: account))
    }

    func ask(_ reference: String) async throws -> FortAnswer {
        try await send(FortMessage(signing: CheckStatusRequest(merchantReference: reference), for: account))
    }

    func send(_ message: FortMessage) async throws -> FortAnswer {
        guard case .answer(let bytes) = await sandbox.reply(to: message.body) else { throw Silence() }
        return try FortAnswer(verifying: bytes, of: account, to: message)
    }

    struct Silence: Error {}
}
