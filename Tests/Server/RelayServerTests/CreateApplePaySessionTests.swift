import ApplePaySession
import Foundation
import HTTPTypes
import Hummingbird
import OutboundHTTP
import PayrelayPrimitives
import Synchronization
import TestPrograms
import Testing
import TokenMint

@testable import RelayServer

@Suite struct ApplePaySessionEndpointTests {
    /// An Apple host that gives every request the same answer, and records the URLs.
    private final class ScriptedApple: SessionTransport {
        private let status: Int
        private let body: String
        private let requests = Mutex<[(url: String, body: JSON?)]>([])

        init(_ status: Int, _ body: String) {
            self.status = status
            self.body = body
        }

        var urls: [String] { requests.withLock { $0.map(\.url) } }
        var domains: [String?] { requests.withLock { $0.map { $0.body?["initiativeContext"]?.stringValue } } }

        func post(
            _ body: [UInt8], to endpoint: SessionEndpoint, timeout: Duration
        ) async -> Outcome<(status: Int, body: [UInt8])> {
            requests.withLock { $0.append((endpoint.url, try? JSON(parsing: body))) }
            guard status != 0 else { return .notSent(reason: "no route to Apple") }
            return .answered((status, Array(self.body.utf8)))
        }
    }

    private static let session = "{ \"nonce\" : \"a\\/b\" }\n"

    private func post(
        _ text: String, domains: [String] = ["shop.example"], to apple: ScriptedApple = ScriptedApple(200, session)
    ) async throws -> (status: HTTPResponse.Status, headers: HTTPFields, body: [UInt8]) {
        let folder = try TemporaryFolder()
        try SessionPKI(merchantIdentifier: "merchant.a").write(to: folder.path)
        let settings = SessionSettings(
            merchant: SessionMerchant(
                identifier: "merchant.a", displayName: try #require(.init("Shop")),
                domains: domains.compactMap { MerchantDomain($0) }),
            identities: try MerchantIdentities(
                certificateFile: folder.path("merchant.pem"), keyFile: folder.path("merchant.key")),
            gateway: .production)
        let endpoint = CreateApplePaySession(client: SessionClient(settings, transport: apple))
        return try await ServerBench.answer(
            of: [Route(.post, "/session", access: .anyone, bodyLimit: 65_536, respond: endpoint.respond)],
            to: .post,
            "/session",
            Array(text.utf8))
    }

    @Test func passesTheSessionOnByteForByteUncached() async throws {
        let answer = try await post("")
        #expect(answer.status == .ok)
        #expect(String(decoding: answer.body, as: UTF8.self) == Self.session)
        #expect(answer.headers[.contentType] == "application/json")
        #expect(answer.headers[.cacheControl] == "no-store")
    }

    @Test func usesTheStaticHostUnlessThePageNamesAnotherOfApple() async throws {
        let apple = ScriptedApple(200, Self.session)
        let url = "https://cn-apple-pay-gateway.apple.com/paymentservices/startSession"
        _ = try await post(#"{"domain": "SHOP.example"}"#, to: apple)
        _ = try await post(#"{"validation_url": "\#(url)"}"#, to: apple)
        #expect(apple.urls == ["https://apple-pay-gateway.apple.com/paymentservices/paymentSession", url])
        #expect(apple.domains == ["shop.example", "shop.example"])
    }

    @Test func namesEveryWrongFieldAndSendsNothing() async throws {
        let apple = ScriptedApple(200, Self.session)
        for (body, fields) in [
            (
                #"{"domain": "evil.example", "validation_url": "https://evil.com/apple-pay-gateway.apple.com", "x": 1}"#,
                ["x", "validation_url", "domain"]
            ),
            (#"{"domain": 1, "validation_url": null}"#, ["domain", "validation_url"]),
            (#"{"validation_url": ""}"#, ["validation_url"]),
        ] {
            let answer = try await post(body, to: apple)
            let errors = try JSON(parsing: answer.body)["errors"]?.arrayValue ?? []
            #expect(answer.status == .badRequest)
            #expect(errors.map { $0["field"]?.stringValue } == fields)
        }
        #expect(try await post("{}", domains: ["shop.example", "pay.example"], to: apple).status == .badRequest)
        #expect(try await post("[]", to: apple).status == .badRequest)
        #expect(apple.urls.isEmpty)
    }

    @Test func reportsApplesRefusal() async throws {
        let answer = try await post("", to: ScriptedApple(417, #"{"statusMessage": "not registered"}"#))
        #expect(answer.status == .badGateway)
        let json = try JSON(parsing: answer.body)
        #expect(json["type"] == "urn:payrelay:problem:apple-refused")
        #expect(json["detail"] == "Apple's session host answered 417: not registered.")
        #expect(try await post("", to: ScriptedApple(200, "<html>")).status == .badGateway)
    }

    @Test func allowsARetryWhenAppleIsUnreachable() async throws {
        let answer = try await post("", to: ScriptedApple(0, ""))
        #expect(answer.status == .serviceUnavailable)
        #expect(answer.headers[.retryAfter] == "1")
        #expect(try JSON(parsing: answer.body)["type"] == "urn:payrelay:problem:apple-unreachable")
    }

    @Test func namesTheMissingSetting() async throws {
        let session = CreateApplePaySession(client: nil)
        let domainFile = GetDomainAssociation(file: nil)
        let routes: [Route] = [
            Route(.post, "/session", access: .anyone, bodyLimit: 65_536, respond: session.respond),
            Route(.get, "/file", access: .anyone, respond: domainFile.respond),
        ]
        for (answer, setting) in [
            (try await ServerBench.answer(of: routes, to: .post, "/session"), "MERCHANT_IDENTIFIER"),
            (try await ServerBench.answer(of: routes, to: .get, "/file"), "DOMAIN_FILE"),
        ] {
            #expect(answer.status == .notFound)
            let json = try JSON(parsing: answer.body)
            #expect(json["type"] == "urn:payrelay:problem:not-configured")
            #expect(json["detail"]?.stringValue?.contains("PAYRELAY_APPLE_PAY_\(setting)") == true)
        }
    }

    @Test func servesTheDomainFileUnchanged() async throws {
        let endpoint = GetDomainAssociation(file: [0x37, 0x42, 0x0D, 0x0A])
        let routes: [Route] = [
            Route(.get, "/file", access: .anyone, respond: endpoint.respond)
        ]
        let answer = try await ServerBench.answer(of: routes, to: .get, "/file")
        #expect(answer.status == .ok && answer.body == [0x37, 0x42, 0x0D, 0x0A])
        #expect(answer.headers[.contentType] == "text/plain")
    }
}
