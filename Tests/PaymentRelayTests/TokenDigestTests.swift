import ApplePayToken
import FoundationEssentials
import Logging
import OrderedJSON
import Testing
import TokenMint

@testable import PaymentRelay

@Suite struct TokenDigestTests {
    private let journal = MemoryJournal()

    @Test func hasTheSigningTimeBeforeItWhereThatWasVerified() throws {
        let digest = TokenDigest(of: try PaymentToken.unsigned(1))
        let moment = Date(timeIntervalSince1970: 0x0102_0304)
        #expect(digest.bytes.count == 32)
        #expect(TokenDigest(digest, signedAt: moment).bytes == [0, 0, 0, 0, 1, 2, 3, 4] + digest.bytes)
        #expect(TokenDigest(digest, signedAt: nil) == digest)
    }

    @Test(arguments: [true, false])
    func aTokenPaysForOneOrderAloneWhetherItIsVerifiedOrNot(isVerified: Bool) async throws {
        let (processor, moment) = (ScriptedProcessor(), Date())
        let json = try TokenMint().mint(TokenContents(amount: 10_000, currency: "AED"), signedAt: moment)
        let relay = try PaymentRelay(
            policy: .init(
                verifier: isVerified ? TokenVerifier(anchor: SandboxPKI.published.anchor()) : nil,
                notFoundAfter: .seconds(60)),
            journal: journal, processor: processor, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            now: { moment })
        #expect(try await relay.pay(request("A", token: json)).payment.state == .captured)
        await #expect(throws: PaymentRefusal.tokenTaken) { try await relay.pay(request("B", token: json)) }
        // The same token, written down in another way.
        let transactionId = try #require(json["paymentData"]?["header"]?["transactionId"]?.stringValue)
        let text = String(decoding: json.encoded(), as: UTF8.self)
        let rewritten = try JSON(parsing: text.replacing(transactionId, with: transactionId.uppercased()))
        await #expect(throws: PaymentRefusal.tokenTaken) { try await relay.pay(request("C", token: rewritten)) }
        #expect(await processor.charges == ["A"])
    }

    private func request(_ reference: String, token json: JSON) throws -> PaymentRequest {
        let token = try PaymentToken(json: json)
        return PaymentRequest(
            order: .sample(reference), token: token,
            fingerprint: RequestFingerprint(fields: [:], token: TokenDigest(of: token)), idempotencyKey: nil,
            client: nil, identifier: "request-\(reference)")
    }
}
