import Foundation
import OutboundHTTP
import PayrelayPrimitives
import TestPrograms
import Testing
import TokenMint

/// A checkout page opens its own Apple Pay session with its order token: what the token allows, and what it does not.
@Suite struct OrderTokenSessionTests {
    private static let scope: JSONObject = ["scope": "payments:create payments:read sessions:create"]
    private static let path = "/v1/apple-pay/sessions"

    private let issuer = TokenIssuer()
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Starts a relay with a session host of the sandbox.
    private func relay(_ settings: [String: String] = [:]) async throws -> RunningRelay {
        try await RunningRelay(
            sandbox: RunningSandbox(sessionCertificates: folder.url.appending(path: "pki").path),
            ["PAYRELAY_JWT_KEYS_FILE": issuer.file(in: folder)].merging(settings) { $1 })
    }

    @Test func aPageOpensASessionAndPaysWithOneToken() async throws {
        let relay = try await relay()
        let reference = Orders.reference()
        let token = try issuer.orderToken(reference, claims: Self.scope)
        let session = try await relay.post(Self.path, Array("{}".utf8), headers: bearer(token))
        #expect(session.status == 200 && session.json?["domainName"] == "shop.example")
        #expect(try await relay.pay(Orders.phoneBody(reference).json, bearing: token).outcome == "captured")
        #expect(try await relay.get("/v1/payments/\(reference)", headers: bearer(token)).outcome == "captured")
    }

    @Test("an order token opens a session only if its scope says so, and for no other domain or host")
    func theScopeIsNeededAndTheDomainsAreFixed() async throws {
        let relay = try await relay()
        let reference = Orders.reference()
        for claims: JSONObject in [[:], ["scope": "payments:create payments:read"], ["scope": "tokens:verify"]] {
            let token = try issuer.orderToken(reference, claims: claims)
            let answer = try await relay.post(Self.path, Array("{}".utf8), headers: bearer(token))
            #expect(answer.status == 403 && answer.problem == "not-permitted")
        }
        let token = try issuer.orderToken(reference, claims: Self.scope)
        let hostile: JSON = ["domain": "evil.example", "validation_url": "https://evil.example/paymentSession"]
        let answer = try await relay.post(Self.path, hostile.encoded(), headers: bearer(token))
        #expect(answer.status == 400 && answer.faultyFields == ["validation_url", "domain"])
    }

    @Test("the scope for sessions opens no other route, and without the other scopes it pays and reads nothing")
    func theScopeOpensNothingElse() async throws {
        let relay = try await relay()
        let reference = Orders.reference()
        let token = try issuer.orderToken(reference, claims: Self.scope)
        for path in ["/v1/tokens/verify", "/v1/sdk-tokens", "/v1/payments/\(reference)/refund"] {
            #expect(try await relay.post(path, Array("{}".utf8), headers: bearer(token)).status == 403, "\(path)")
        }
        let sessionsAlone = try issuer.orderToken(reference, claims: ["scope": "sessions:create"])
        #expect(try await relay.pay(Orders.phoneBody(reference).json, bearing: sessionsAlone).status == 403)
        #expect(try await relay.get("/v1/payments/\(reference)", headers: bearer(sessionsAlone)).status == 403)
        #expect(try await relay.sandbox.books().isEmpty)
    }

    @Test("sessions count against the rate limit of their order, and not against other orders or the backend")
    func sessionsOfAnOrderTokenHaveTheRateOfTheirOrder() async throws {
        let key = try await GeneratedKey("shop", "payments:read")
        let relay = try await relay([
            "PAYRELAY_HTTP_CLIENT_REQUESTS_PER_SECOND_MAX": "1", "PAYRELAY_API_KEYS": key.line,
        ])
        let token = try issuer.orderToken(Orders.reference(), claims: Self.scope)
        // The requests are sent at once, because one after the other they might take a second each.
        let statuses = try await withThrowingTaskGroup { group in
            for _ in 1...50 {
                group.addTask { try await relay.post(Self.path, Array("{}".utf8), headers: bearer(token)).status }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(statuses == [200, 429])
        let other = try issuer.orderToken(Orders.reference(), claims: Self.scope)
        #expect(try await relay.post(Self.path, Array("{}".utf8), headers: bearer(other)).status == 200)
        #expect(try await relay.get("/v1/payments/none", headers: bearer(key.key)).status == 404)
    }

    /// Apple does not answer, and a page requests one session after another.
    @Test("sessions that Apple does not answer hold only the slots of their order")
    func sessionsHoldOnlyThePlacesOfTheirOrder() async throws {
        let apple = try LoopbackSocket.silentServer()
        let key = try await GeneratedKey("shop")
        let relay = try await relay([
            "PAYRELAY_APPLE_PAY_SESSION_HOST": "127.0.0.1:\(apple.port)", "PAYRELAY_API_KEYS": key.line,
            "PAYRELAY_HTTP_REQUESTS_IN_FLIGHT_MAX": "16",
        ])
        let token = try issuer.orderToken(Orders.reference(), claims: Self.scope)
        let pages = try (1...20).map { _ in
            let connection = try RawConnection(port: relay.port)
            connection.send(
                "POST \(Self.path) HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                    + "Authorization: Bearer \(token)\r\nContent-Length: 2\r\n\r\n{}")
            return connection
        }
        try await relay.program.wait(for: "the refusals") { pages.count { !$0.hasNothingToRead } == 19 }
        #expect(try await relay.metric("payrelay_http_requests_under_way") == 1)
        let paid = try await relay.post("/v1/payments", Orders.body().json.encoded(), headers: bearer(key.key))
        #expect(paid.outcome == "captured")
        withExtendedLifetime(pages) {}
    }
}
