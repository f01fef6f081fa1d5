import ApplePayToken
import FortAPI
import Foundation
import PayrelayPrimitives
import SandboxParts
import Synchronization
import Testing
import TokenMint

@testable import FortSandbox

/// A sandbox and a merchant who sends FORT's messages to it, without HTTP.
final class SandboxBench: Sendable {
    let account: FortAccount
    let sandbox: FortSandbox
    private let clock: Clock

    private final class Clock: Sendable {
        let seconds = Mutex(Date().timeIntervalSince1970)
    }

    /// - Parameter pause: The seconds between opening a token and entering its order, in which another request can arrive.
    init(
        _ type: FortSignatureType = .standard, orderLimit: Int = 1_000_000, pause: Double = 0,
        feedbackInterval: Duration = .seconds(10), authorizesMada: Bool = false
    ) throws {
        account = try FortAccount(
            accessCode: "ACCESS", merchantIdentifier: "MERCHANT", signatureType: type, requestPhrase: Secret("REQ"),
            responsePhrase: Secret("RES"), authorizesMada: authorizesMada)
        let clock = Clock()
        self.clock = clock
        sandbox = FortSandbox(
            accounts: FortAccounts(account), orderLimit: orderLimit, feedbackInterval: feedbackInterval
        ) {
            if pause > 0 { Thread.sleep(forTimeInterval: pause) }
            return Date(timeIntervalSince1970: clock.seconds.withLock { $0 })
        }
    }

    func wait(seconds: Double) {
        clock.seconds.withLock { $0 += seconds }
    }

    static func token(
        _ amount: Int = 10_000, _ currency: String = "AED", applicationData: [UInt8]? = nil,
        pki: SandboxPKI = .published
    ) throws -> PaymentToken {
        let contents = TokenContents(amount: amount, currency: currency)
        return try PaymentToken(
            json: TokenMint(pki: pki).mint(contents, applicationData: applicationData, signedAt: Date()))
    }

    /// A payment as the relay sends it.
    ///
    /// - Parameters:
    ///   - token: The token, or `nil` for a token for the amount.
    ///   - fields: Additional or changed fields of the order.
    func payment(
        _ reference: String, _ command: FortCommand = .purchase, amount: Int = 10_000, token: PaymentToken? = nil,
        fields: [String: String] = [:]
    ) throws -> FortMessage {
        let token = try token ?? Self.token(amount)
        let order = [
            "command": command.rawValue, "merchant_reference": reference, "amount": String(amount), "currency": "AED",
            "language": "en", "customer_email": "sara@example.com", "customer_ip": "192.0.2.10",
        ].merging(fields) { $1 }
        return FortMessage(signing: try FortRequest(order: order, token: token), for: account)
    }

    func query(_ reference: String) throws -> FortMessage {
        FortMessage(signing: try FortRequest(statusOf: reference), for: account)
    }

    /// Returns the message with changed parameters, signed anew. A null removes a parameter.
    func changed(_ message: FortMessage, _ changes: JSONObject, phrase: String = "REQ") -> [UInt8] {
        var parameters = message.parameters
        for change in changes.members { parameters[change.name] = change.value == .null ? nil : change.value }
        let signature = FortSignature(of: parameters, phrase: Secret(phrase), type: account.signatureType)
        parameters["signature"] = .string(signature.hexadecimal)
        return JSON.object(parameters).encoded()
    }

    /// Sends a message and returns the answer as FORT's client verifies it: signed, and for this message.
    func send(_ message: FortMessage) async throws -> FortAnswer {
        try FortAnswer(verifying: try await answer(to: message.body).encoded, of: account, to: message)
    }

    /// Sends any bytes and returns the answer. It checks that the answer is signed, and has a documented code with FORT's text.
    func answer(to body: [UInt8]) async throws -> (parameters: JSONObject, encoded: [UInt8]) {
        guard case .answer(let bytes) = await sandbox.reply(to: body) else { throw Silence() }
        let parameters = try #require(try JSON(parsing: bytes).objectValue)
        let signature = FortSignature(of: parameters, phrase: Secret("RES"), type: account.signatureType)
        #expect(signature.matches(try #require(parameters["signature"]?.stringValue)))
        for (code, text) in [("response_code", "response_message"), ("transaction_code", "transaction_message")] {
            guard code == "response_code" || parameters[code] != nil else { continue }
            let told = try #require(FortCode(parameters[code]?.stringValue ?? ""))
            #expect(told.statusText != nil && told.messageText != nil, "\(told) is none of FORT's codes")
            // The sandbox may add more text behind FORT's.
            #expect(parameters[text]?.stringValue?.hasPrefix(told.messageText ?? "?") == true)
        }
        #expect(parameters["response_code"]?.stringValue?.prefix(2) == parameters["status"]?.stringValue?.prefix(2))
        return (parameters, bytes)
    }

    /// Returns the `response_code` of the answer to these bytes.
    func code(of body: [UInt8]) async throws -> String {
        try await answer(to: body).parameters["response_code"]?.stringValue ?? "none"
    }

    struct Silence: Error {}
}
