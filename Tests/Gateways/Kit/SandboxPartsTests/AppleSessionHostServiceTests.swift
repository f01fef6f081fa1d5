import Foundation
import GatewayTestParts
import OutboundHTTP
import PayrelayPrimitives
import SandboxParts
import TestPrograms
import Testing
import TokenMint

/// The TLS connections of the session host: libcurl and OpenSSL on one side, NIO and BoringSSL on the other.
@Suite(.timeLimit(.minutes(25))) struct AppleSessionHostServiceTests {
    private let folder: TemporaryFolder
    private let request: JSON = [
        "merchantIdentifier": "merchant.a", "displayName": "Shop", "initiative": "web",
        "initiativeContext": "shop.example",
    ]

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Runs a host that knows merchant.a, and then the test.
    private func withHost(_ test: @Sendable (_ port: Int) async throws -> Void) async throws {
        let pki = try SessionPKI(merchantIdentifier: "merchant.a")
        try pki.write(to: folder.path)
        try await RunningService.with { logger, onListening in
            AppleSessionHostService(pki, port: 0, logger: logger) { onListening($0) }
        } test: { port in
            try await test(port)
        }
    }

    /// - Parameter identity: The folder with the client's certificate, or `nil` for no certificate.
    private func exchange(
        _ port: Int, _ body: JSON, identity: String?, path: String = "/paymentservices/paymentSession",
        headers: [(name: String, value: String)] = []
    ) async throws -> OutboundAnswer {
        let client = OutboundClient(
            OutboundSettings(
                caFile: folder.path("ca.pem"),
                identity: try identity.map { folder in
                    .init(
                        certificate: try String(contentsOfFile: "\(folder)/merchant.pem", encoding: .utf8),
                        key: Secret(try String(contentsOfFile: "\(folder)/merchant.key", encoding: .utf8)))
                }))
        defer { client.shutdown() }
        return try await client.send(
            OutboundRequest(
                url: "https://localhost:\(port)\(path)", headers: headers, body: body.encoded(),
                connectTimeout: .seconds(90), timeout: .seconds(300))
        ).get()
    }

    @Test func aForeignWebPageGetsNoSession() async throws {
        try await withHost { port in
            for header in [("Origin", "https://evil.example"), ("Sec-Fetch-Site", "cross-site")] {
                let answer = try await exchange(port, request, identity: folder.path, headers: [header])
                #expect(answer.status == 403)
            }
            let rebound = try await exchange(port, request, identity: folder.path, headers: [("Host", "evil.example")])
            #expect(rebound.status == 421)
        }
    }

    @Test(arguments: ["/paymentservices/paymentSession", "/paymentservices/startSession"])
    func theMerchantGetsASession(path: String) async throws {
        try await withHost { port in
            let answer = try await exchange(port, request, identity: folder.path, path: path)
            #expect(answer.status == 200)
            #expect(try JSON(parsing: answer.body)["domainName"] == "shop.example")
        }
    }

    @Test func aClientWithoutACertificateIsRefused() async throws {
        try await withHost { port in
            let failure = await #expect(throws: NoAnswer.self) {
                try await exchange(port, request, identity: nil)
            }
            #expect(failure?.reason.contains("certificate required") == true, "\(String(describing: failure))")
        }
    }

    @Test func aCertificateOfAnotherRootIsRefused() async throws {
        let foreign = folder.path("foreign")
        try SessionPKI(merchantIdentifier: "merchant.a").write(to: foreign)
        try await withHost { port in
            let failure = await #expect(throws: NoAnswer.self) {
                try await exchange(port, request, identity: foreign)
            }
            #expect(failure?.reason.contains("unknown ca") == true, "\(String(describing: failure))")
        }
    }

    @Test func anotherMerchantsIdentifierIsRefused() async throws {
        try await withHost { port in
            var other = try #require(request.objectValue)
            other["merchantIdentifier"] = "merchant.b"
            let answer = try await exchange(port, .object(other), identity: folder.path)
            #expect(answer.status == 417)
            #expect(try JSON(parsing: answer.body)["statusMessage"]?.stringValue?.contains("merchant.b") == true)
        }
    }
}
