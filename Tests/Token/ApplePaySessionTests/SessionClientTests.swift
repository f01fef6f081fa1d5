import ApplePaySession
import OutboundHTTP
import PayrelayPrimitives
import Synchronization
import TestPrograms
import Testing

@Suite struct SessionClientTests {
    /// An Apple host that gives every request the same answer, and keeps the requests.
    private final class ScriptedApple: SessionTransport {
        let answer: Outcome<(status: Int, body: [UInt8])>
        let requests = Mutex<[(body: [UInt8], url: String)]>([])

        init(_ answer: Outcome<(status: Int, body: [UInt8])>) {
            self.answer = answer
        }

        func post(
            _ body: [UInt8], to endpoint: SessionEndpoint, timeout: Duration
        ) async -> Outcome<(status: Int, body: [UInt8])> {
            requests.withLock { $0.append((body, endpoint.url)) }
            return answer
        }
    }

    private func session(from apple: ScriptedApple) async throws -> [UInt8] {
        let folder = try TemporaryFolder()
        let identity = try folder.identity()
        let domain = try #require(MerchantDomain("shop.example"))
        let settings = SessionSettings(
            merchant: SessionMerchant(
                identifier: "merchant.a", displayName: try #require(.init("متجر \"A\"")), domains: [domain]),
            identities: try MerchantIdentities(certificateFile: identity.certificate, keyFile: identity.key),
            gateway: .production)
        return try await SessionClient(settings, transport: apple)
            .session(for: domain, at: settings.gateway.staticEndpoint)
    }

    private func failure(from answer: Outcome<(status: Int, body: [UInt8])>) async -> SessionFailure? {
        await #expect(throws: SessionFailure.self) { try await session(from: ScriptedApple(answer)) }
    }

    @Test func theRequestHasTheDocumentedMembers() async throws {
        let apple = ScriptedApple(.answered((200, Array("{}".utf8))))
        _ = try await session(from: apple)
        let requests = apple.requests.withLock { $0 }
        #expect(requests.map(\.url) == ["https://apple-pay-gateway.apple.com/paymentservices/paymentSession"])
        #expect(
            try JSON(parsing: requests[0].body) == [
                "merchantIdentifier": "merchant.a", "displayName": "متجر \"A\"", "initiative": "web",
                "initiativeContext": "shop.example",
            ])
    }

    @Test func theSessionIsPassedOnByteForByte() async throws {
        let bytes = Array("{ \"nonce\" : \"a\\/b\",\r\n\t\"epochTimestamp\":1.70E12 }\n".utf8)
        #expect(try await session(from: ScriptedApple(.answered((200, bytes)))) == bytes)
    }

    @Test func anErrorCarriesApplesStatusAndMessage() async {
        let body = Array(#"{"statusMessage": "not registered for merchantId=merchant.a", "statusCode": "417"}"#.utf8)
        #expect(
            await failure(from: .answered((417, body)))
                == .refused(status: 417, message: "not registered for merchantId=merchant.a"))
        #expect(await failure(from: .answered((503, Array("<html>".utf8)))) == .refused(status: 503, message: nil))
    }

    @Test(arguments: ["", "<html>", "[]", "\"session\"", "{"])
    func anAnswerThatIsNotAnObjectIsNotASession(body: String) async {
        #expect(await failure(from: .answered((200, Array(body.utf8)))) == .notASession)
    }

    /// A redirect is an error like any other status: the host in it is not contacted.
    @Test func aRedirectIsNotFollowed() async {
        #expect(await failure(from: .answered((302, []))) == .refused(status: 302, message: nil))
    }

    @Test func aFailureCarriesItsReason() async {
        #expect(
            await failure(from: .notSent(reason: "no such host")) == .notSent(reason: "no such host"))
        #expect(await failure(from: .unknown(reason: "timeout")) == .unknown(reason: "timeout"))
    }
}
