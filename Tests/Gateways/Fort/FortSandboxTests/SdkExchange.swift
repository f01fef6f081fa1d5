import FortAPI
import Foundation
import PayrelayPrimitives
import SandboxParts
import Testing

@testable import FortSandbox

/// FORT's SDK at a sandbox: it gets tokens and sends requests with them.
struct SdkExchange {
    let bench: SandboxBench
    static let device = "ffffffff-a9fa-0b44-7b27-29e70033c587"

    init() throws { bench = try SandboxBench() }

    func token(device: String = device) async throws -> String {
        let request = try FortRequest(deviceID: device)
        let answer = try await bench.answer(to: FortMessage(signing: request, for: bench.account).body)
        return try #require(answer.parameters["sdk_token"]?.stringValue)
    }

    /// Returns an operation with the mandatory parameters.
    ///
    /// - Parameter changes: Additional or changed parameters. A null removes one.
    func operation(_ token: String, _ reference: String, _ changes: JSONObject = [:]) -> JSONObject {
        var parameters: JSONObject = [
            "command": "PURCHASE", "merchant_reference": .string(reference), "amount": "10000", "currency": "AED",
            "language": "en", "customer_email": "sara@example.com", "sdk_token": .string(token),
            "device_id": .string(Self.device),
        ]
        for change in changes.members { parameters[change.name] = change.value == .null ? nil : change.value }
        return parameters
    }

    /// Returns an Apple Pay token as FORT's parameters.
    func applePay(_ amount: Int = 10_000, network: String = "Visa") throws -> JSONObject {
        let message = try bench.payment("NONE", amount: amount)
        var parameters = message.parameters.filter { $0.name.hasPrefix("apple_") || $0.name == "digital_wallet" }
        var method = parameters["apple_paymentMethod"]?.objectValue ?? [:]
        method["apple_network"] = .string(network)
        parameters["apple_paymentMethod"] = .object(method)
        return parameters
    }

    /// Sends the parameters and returns the signed answer.
    func answer(_ parameters: JSONObject) async throws -> JSONObject {
        guard case .answer(let bytes) = await bench.sandbox.replyToSdk(JSON.object(parameters).encoded()) else {
            throw SandboxBench.Silence()
        }
        let answer = try #require(try JSON(parsing: bytes).objectValue)
        let signature = FortSignature(
            of: answer, phrase: bench.account.responsePhrase, type: bench.account.signatureType)
        #expect(signature.matches(try #require(answer["signature"]?.stringValue)))
        let code = try #require(FortCode(answer["response_code"]?.stringValue ?? ""))
        #expect(code.statusText != nil && code.messageText != nil)
        return answer
    }

    func code(_ parameters: JSONObject) async throws -> String? {
        try await answer(parameters)["response_code"]?.stringValue
    }
}
