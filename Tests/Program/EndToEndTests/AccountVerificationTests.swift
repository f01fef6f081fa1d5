import Foundation
import OutboundHTTP
import PayrelayPrimitives
import TestPrograms
import Testing
import TokenMint

/// An account is not charged until one of its answers was verified: with a wrong phrase or SHA type every charge would be
/// `uncertain`.
@Suite struct AccountVerificationTests {
    private func account(_ name: String, of relay: RunningRelay) async throws -> JSON? {
        try await relay.admin("/ready").json?["fort"]?.arrayValue?.first { $0["account"] == .string(name) }
    }

    @Test(
        "S6: with a wrong response phrase or SHA type nothing is charged, 503 says so, and the cause is named",
        arguments: [
            (["PAYRELAY_FORT_RESPONSE_PHRASE": "CANARY-WRONG"], "response_phrase"),
            (["PAYRELAY_FORT_SIGNATURE_TYPE": "sha512"], "signature_type"),
        ])
    func wrongSecrets(wrong: [String: String], setting: String) async throws {
        let relay = try await RunningRelay(wrong)
        let reference = Orders.reference()
        let body = try Orders.body(reference).json
        for _ in 1...3 {
            let refused = try await relay.pay(body, idempotencyKey: "\"k\"")
            #expect(refused.status == 503 && refused.problem == "account-unverified", "\(refused.json ?? .null)")
            #expect(refused.header("Retry-After") != nil)
            let detail = refused.json?["detail"]?.stringValue ?? ""
            #expect(detail.contains("charged nothing") && detail.contains(setting), "\(detail)")
        }
        #expect(try await relay.get("/v1/payments/\(reference)").status == 404)
        #expect(try await relay.sandbox.books().isEmpty)
        let shown = try await account("default", of: relay)
        #expect(shown?["chargeable"] == false, "\(shown ?? .null)")
        #expect(shown?["reason"]?.stringValue?.contains(setting) == true, "\(shown ?? .null)")
        #expect(try await relay.metric(#"payrelay_fort_account_verified{account="default"}"#) == 0)
        #expect(try await relay.metric(#"payrelay_payments_total{outcome="account_unverified"}"#) == 3)
        try await relay.program.wait(toPrint: "FORT account not verified: nothing is charged")
        #expect(!relay.program.text.contains("CANARY"))

        // The setting is corrected, and the same request with the same key succeeds.
        relay.program.signal(SIGTERM)
        try await relay.program.end()
        let corrected = try await RunningRelay(after: relay)
        #expect(try await corrected.pay(body, idempotencyKey: "\"k\"").outcome == "captured")
        #expect(try await account("default", of: corrected)?["chargeable"] == true)
        #expect(try await corrected.metric(#"payrelay_fort_account_verified{account="default"}"#) == 1)
    }

    @Test("S6: the first charge after a start goes through, also if many come at once")
    func firstCharges() async throws {
        let relay = try await RunningRelay()
        let outcomes = try await withThrowingTaskGroup(of: String?.self) { group in
            for _ in 1...20 { group.addTask { try await relay.pay(Orders.body().json).outcome } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.count == 20 && outcomes.allSatisfy { $0 == "captured" }, "\(outcomes)")
    }

    @Test("S6: one account with a wrong phrase keeps no other account from being charged")
    func oneOfTwo() async throws {
        let accounts = try TwoAccounts()
        let folder = try TemporaryFolder()
        let right = try String(contentsOfFile: accounts.config, encoding: .utf8)
        let wrong = try folder.file("payrelay.yaml", right.replacing("response-jordan", with: "another"))
        let relay = try await RunningRelay(sandbox: try await RunningSandbox(config: accounts.config), config: wrong)
        for (currency, isCharged) in [("JOD", false), ("AED", true), ("JOD", false)] {
            let token = try TokenMint().mint(TokenContents(amount: 10_000, currency: currency), signedAt: Date())
            let body = try Orders.body().with(["currency": .string(currency), "token": token])
            let answer = try await relay.pay(body)
            #expect(answer.status == (isCharged ? 200 : 503), "\(currency): \(answer.json ?? .null)")
        }
        #expect(try await account("uae", of: relay)?["chargeable"] == true)
        #expect(try await account("jordan", of: relay)?["chargeable"] == false)
        #expect(try await relay.sandbox.books().count == 1)
    }
}
