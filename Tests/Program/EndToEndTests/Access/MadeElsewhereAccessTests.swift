import Foundation
import OutboundHTTP
import PayrelayPrimitives
import TestPrograms
import Testing

/// S7: external payments, which the merchant's app makes with FORT's SDK, belong to no client. Only a key with the scope
/// `payments:made-elsewhere` sees them, and no order token does.
@Suite struct MadeElsewhereAccessTests {
    private static let scopes = "payments:create,payments:read,payments:manage,sdk-tokens:create"
    private let issuer = TokenIssuer()
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("S7: an external payment is 404 for a client without the scope, and for every order token")
    func aPaymentMadeElsewhereIsHidden() async throws {
        let (shop, books) = (
            try await GeneratedKey("shop", Self.scopes),
            try await GeneratedKey("books", "payments:read,payments:manage,payments:made-elsewhere")
        )
        let relay = try await RunningRelay([
            "PAYRELAY_API_KEYS": "\(shop.line); \(books.line)", "PAYRELAY_JWT_KEYS_FILE": issuer.file(in: folder),
        ])
        let reference = try await relay.payThroughSdk("AUTHORIZATION", bearing: shop.key)
        let path = "/v1/payments/\(reference)"
        let unknown = try await relay.get("/v1/payments/nobody", headers: bearer(shop.key))
        let greedy = try issuer.orderToken(
            reference,
            claims: [
                "scope": "payments:create payments:read payments:manage payments:made-elsewhere",
                "command": "AUTHORIZATION",
            ])
        let backend = try issuer.token(["scope": "payments:read payments:manage"])
        for credential in [shop.key, greedy, backend] {
            let answer = try await relay.get(path, headers: bearer(credential))
            #expect(answer.status == 404 && answer.body == unknown.body)
        }
        for verb in ["sync", "capture", "void", "refund"] {
            for credential in [shop.key, backend] {
                let answer = try await relay.post("\(path)/\(verb)", Array("{}".utf8), headers: bearer(credential))
                #expect(answer.status == 404 && answer.body == unknown.body, "\(verb)")
            }
            let answer = try await relay.post("\(path)/\(verb)", Array("{}".utf8), headers: bearer(greedy))
            #expect(answer.status == 403 && answer.problem == "not-permitted")
        }
        // The order cannot be paid a second time under its reference either.
        let body = try Orders.phoneBody(reference).with(["command": "AUTHORIZATION"])
        for credential in [shop.key, greedy] {
            let answer = try await relay.pay(body, bearing: credential)
            #expect(answer.status == 422 && answer.problem == "reference-taken")
        }
        #expect(try await relay.sandbox.charges(of: reference) == 1)

        // The scope by itself permits nothing, and does not show other clients' payments.
        let jwt = try issuer.token(["scope": "payments:made-elsewhere"], client: "books")
        #expect(try await relay.get(path, headers: bearer(jwt)).status == 403)
        let own = try Orders.body()
        #expect(try await relay.pay(own.json, bearing: shop.key).outcome == "captured")
        let others = "/v1/payments/\(own["merchant_reference"]?.stringValue ?? "")"
        #expect(try await relay.get(others, headers: bearer(books.key)).status == 404)

        let seen = try await relay.get(path, headers: bearer(books.key))
        #expect(seen.outcome == "authorized" && seen.json?["made_elsewhere"] == true)
        let reader = try issuer.token(["scope": "payments:read payments:made-elsewhere"], client: "reader")
        #expect(try await relay.get(path, headers: bearer(reader)).outcome == "authorized")
        let voided = try await relay.post("\(path)/void", Array("{}".utf8), headers: bearer(books.key))
        #expect(voided.outcome == "voided")
        // The log names the client. Its line may be written after the answer.
        var operation: JSON?
        try await relay.program.wait(for: "the operation's line") {
            operation = relay.program.lines.compactMap { try? JSON(parsing: Array($0.utf8)) }
                .first { $0["message"] == "operation" }
            return operation != nil
        }
        #expect(operation?["client"] == "books")
    }
}

extension RunningRelay {
    /// Pays an order as FORT's SDK does: a token from the relay, the operation at the sandbox, and its feedback to the relay.
    ///
    /// - Returns: The order's reference.
    fileprivate func payThroughSdk(_ command: String, bearing credential: String) async throws -> String {
        try await sendFeedbackHere()
        let token = try await sdkToken(bearing: credential)
        let reference = Orders.reference()
        let answer = try await sandbox.sdk(Self.operation(command, reference, token).json)
        guard answer["status"] == (command == "PURCHASE" ? "14" : "02") else {
            throw RunningProgram.LaunchError(description: "\(answer)")
        }
        try await sandbox.waitForFeedback()
        try await program.wait(for: "the payment of \(reference)") {
            try await self.metric(#"payrelay_hints_investigated_total{result="changed"}"#) ?? 0 > 0
        }
        return reference
    }

    func sendFeedbackHere() async throws {
        let url = "http://127.0.0.1:\(port)/v1/feedback"
        try await sandbox.set(
            "feedback", ["direct_url": .string("\(url)/direct"), "notification_url": .string("\(url)/notification")])
    }

    func sdkToken(bearing credential: String? = nil) async throws -> String {
        let answer = try await post(
            "/v1/sdk-tokens", JSON.object(["device_id": .string(Self.device)]).encoded(),
            headers: credential.map(bearer) ?? [])
        guard let token = answer.json?["sdk_token"]?.stringValue else {
            throw RunningProgram.LaunchError(description: String(decoding: answer.body, as: UTF8.self))
        }
        return token
    }

    /// Returns the request of FORT's SDK.
    static func operation(_ command: String, _ reference: String, _ token: String) -> JSONObject {
        [
            "command": .string(command), "merchant_reference": .string(reference), "amount": "10000",
            "currency": "AED", "language": "en", "customer_email": "sara@example.com", "sdk_token": .string(token),
            "device_id": .string(device),
        ]
    }

    private static let device = "ffffffff-a9fa-0b44-7b27-29e70033c587"
}
