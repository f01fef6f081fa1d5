import ApplePayToken
import Foundation
import JournalContract
import Logging
import PayrelayPrimitives
import Testing
import TokenMint

@testable import PaymentRelay

/// A charge of a stored card, which takes every step except the token's.
@Suite struct StoredCardTests {
    private let journal = MemoryJournal()

    private func relay(_ gateway: ScriptedGateway) throws -> PaymentRelay {
        PaymentRelay(
            policy: .init(
                verifier: TokenVerifier(anchor: try SandboxPKI.published.anchor()), notFoundAfter: .seconds(60),
                recordsEvents: true),
            journal: journal, gateways: .only(gateway), logger: .silent)
    }

    private func request(
        _ reference: String, _ gateway: ScriptedGateway, body: String = "", key: String? = nil
    ) throws -> PaymentRequest {
        PaymentRequest(
            try gateway.prepareRecurring(["merchant_reference": reference], account: "main"),
            fingerprint: RequestFingerprint(fields: ["merchant_reference": reference, "body": body], token: nil),
            idempotencyKey: key, identifier: "request-\(reference)")
    }

    @Test func isClaimedChargedAndSettledWithoutATokensCheck() async throws {
        let gateway = ScriptedGateway()
        let relay = try relay(gateway)
        let result = try await relay.pay(request("S", gateway))
        #expect(result.payment.state == .captured && !result.payment.isMadeElsewhere)
        #expect(result.payment.appleTransactionIdentifier == nil)
        #expect(await journal.history(of: "S").map(\.state) == [.processing, .captured])
        let event = try #require(await journal.history(of: "S").last?.event)
        #expect(try JSON(parsing: event)["payment"]?["made_elsewhere"] == nil)
        #expect(relay.certificateDaysLeft == nil)
    }

    @Test("R3: it is replayed, and another under its reference is refused")
    func isReplayed() async throws {
        let gateway = ScriptedGateway()
        let relay = try relay(gateway)
        let first = try await relay.pay(request("S", gateway, key: "k"))
        let again = try await relay.pay(request("S", gateway, key: "k"))
        #expect(again.isReplay && again.payment.receipt == first.payment.receipt)
        await #expect(throws: PaymentRefusal.referenceTaken(differing: [])) {
            try await relay.pay(request("S", gateway, body: "other"))
        }
        await #expect(throws: PaymentRefusal.idempotencyKeyTaken) {
            try await relay.pay(request("T", gateway, key: "k"))
        }
        #expect(await gateway.charges == ["S"])
    }

    @Test("R10: a recurring charge without an answer is uncertain, and the gateway is queried")
    func isReconciled() async throws {
        let gateway = ScriptedGateway(onCharge: { _ in .unknown(reason: "timeout") })
        let relay = try relay(gateway)
        #expect(try await relay.pay(request("S", gateway)).payment.state == .uncertain)
        #expect(try await relay.sync("S")?.state == .captured)
        #expect(await gateway.charges == ["S"])
        #expect(await gateway.queries == ["S"])
    }

    @Test func aHintHasTheRelayAskAboutItAsAboutAnyPayment() async throws {
        let gateway = ScriptedGateway(onCharge: { _ in .unknown(reason: "timeout") })
        let relay = try relay(gateway)
        _ = try await relay.pay(request("S", gateway))
        #expect(
            try await relay.takeHint(
                GatewayHint(
                    account: "main", merchantReference: "S", subject: .charge(.purchase), statement: .captured,
                    amount: 10_000, currency: "AED", gatewayReference: nil)))
        await Investigator(relay: relay, logger: .silent).workOff()
        #expect(await journal.payment("S")?.state == .captured)
        #expect(await journal.payment("S")?.isMadeElsewhere == false)
    }

    /// The token's digest is part of the fingerprint. If there is no token, no field may take the digest's place.
    @Test func theFingerprintOfAStoredCardsChargeDiffersFromOthers() throws {
        let fields = ["merchant_reference": "S"]
        let token = try PaymentToken.unsigned(1).digest
        let stored = RequestFingerprint(fields: fields, token: nil)
        #expect(stored == RequestFingerprint(fields: fields, token: nil))
        #expect(stored != RequestFingerprint(fields: fields, token: token))
        #expect(stored != RequestFingerprint(fields: ["merchant_reference": "T"], token: nil))
    }
}
