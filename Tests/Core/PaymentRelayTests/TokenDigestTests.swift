import ApplePayToken
import FoundationEssentials
import JournalContract
import Logging
import PayrelayPrimitives
import Testing
import TokenMint

@testable import PaymentRelay

@Suite struct TokenDigestTests {
    private let journal = MemoryJournal()

    /// R13: one Apple token pays one order, whatever the settings of the instance that takes it.
    @Test(
        "R13: a token pays one order, whether it is verified or not",
        arguments: [(true, true), (true, false), (false, true), (false, false)])
    func paysOneOrderWithATokenWhetherItIsVerifiedOrNot(isVerified: Bool, isVerifiedLater: Bool) async throws {
        let (gateway, moment) = (ScriptedGateway(), Date())
        let data = [UInt8](repeating: 7, count: 32)
        let json = try TokenMint().mint(
            TokenContents(amount: 10_000, currency: "AED"), applicationData: data, signedAt: moment)
        func relay(isVerified: Bool) throws -> PaymentRelay {
            try PaymentRelay(
                policy: .init(
                    verifier: isVerified ? TokenVerifier(anchor: SandboxPKI.published.anchor()) : nil,
                    notFoundAfter: .seconds(60)),
                journal: journal, gateways: .only(gateway),
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
                now: { moment })
        }
        let first = try relay(isVerified: isVerified)
        let relay = try relay(isVerified: isVerifiedLater)
        #expect(try await first.pay(request("A", token: json)).payment.state == .captured)
        await #expect(throws: PaymentRefusal.tokenTaken) { try await relay.pay(request("B", token: json)) }
        // The rewritten token is the same token in another spelling.
        let transactionId = try #require(json["paymentData"]?["header"]?["transactionId"]?.stringValue)
        let text = String(decoding: json.encoded(), as: UTF8.self)
        let rewritten = try JSON(parsing: text.replacing(transactionId, with: transactionId.uppercased()))
        await #expect(throws: PaymentRefusal.tokenTaken) { try await relay.pay(request("C", token: rewritten)) }
        // Application data follows the identifier in the signed bytes. If it is moved to the end of the identifier, the
        // signature stays valid.
        let digits = HexText(encoding: data).text
        let shorter = text.replacing(try Regex(#",?"applicationData":"\#(digits)""#), with: "")
        let moved = try JSON(
            parsing: shorter.replacing(transactionId, with: transactionId + digits)
                .replacing(transactionId.uppercased(), with: (transactionId + digits).uppercased()))
        #expect(try PaymentToken(json: moved).digest == PaymentToken(json: json).digest)
        await #expect(throws: PaymentRefusal.tokenTaken) { try await relay.pay(request("D", token: moved)) }
        #expect(await gateway.charges == ["A"])
    }

    @Test("R13: a token pays one order, whatever shape a library gives it")
    func paysOneOrderInEveryShape() async throws {
        let (gateway, moment) = (ScriptedGateway(), Date())
        let json = try TokenMint().mint(TokenContents(amount: 10_000, currency: "AED"), signedAt: moment)
        let relay = try PaymentRelay(
            policy: .init(
                verifier: TokenVerifier(anchor: SandboxPKI.published.anchor()), notFoundAfter: .seconds(60)),
            journal: journal, gateways: .only(gateway),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, now: { moment })
        #expect(try await relay.pay(request("A", token: json)).payment.state == .captured)
        let paymentData = try #require(json["paymentData"])
        let text = String(decoding: paymentData.encoded(), as: UTF8.self)
        let base64 = Base64Text(encoding: Array(text.utf8)).text
        let url = base64.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        let lines = stride(from: 0, to: base64.count, by: 76).map { base64.dropFirst($0).prefix(76) }
        let header = try #require(paymentData["header"])
        let shapes: [JSON] = [
            paymentData, .string(text), .string(base64), .string(url), .string(lines.joined(separator: "\r\n")),
            ["details": ["applePayToken": json]], ["applePayToken": json], ["details": json], ["token": .string(text)],
            .string(String(decoding: JSON.string(text).encoded(), as: UTF8.self)),
            [
                "apple_data": paymentData["data"] ?? .null, "apple_signature": paymentData["signature"] ?? .null,
                "apple_header": .object(
                    JSONObject((header.objectValue?.members ?? []).map { ("apple_" + $0.name, $0.value) })),
            ],
        ]
        for (number, shape) in shapes.enumerated() {
            await #expect(throws: PaymentRefusal.tokenTaken, "shape \(number)") {
                try await relay.pay(request("B\(number)", token: shape))
            }
        }
        #expect(await gateway.charges == ["A"])
    }

    private func request(_ reference: String, token json: JSON) throws -> SampleRequest {
        let token = try PaymentToken(json: json)
        return SampleRequest(
            reference: reference, token: token,
            fingerprint: RequestFingerprint(fields: [:], token: token.digest))
    }
}
