import AccessControl
import Foundation
import HTTPListener
import PayrelayPrimitives
import RelayServer
import TestPrograms
import Testing
import TokenMint

/// `POST /v1/payments` is answered on the event loop of its connection. In a task it would be answered byte for byte the same,
/// whatever is sent: held against each other over sockets, both in front of a ledger of their own.
@Suite struct TwoWaysToARouteTests {
    private static let key = APIKey()
    private static let otherKey = APIKey()

    private static func authenticator() throws -> ReloadableAuthenticator {
        let entries = [
            try APIKeyEntry(client: "shop", scopes: [.paymentsCreate, .paymentsRead], key: key),
            try APIKeyEntry(client: "bank", scopes: [.paymentsRead], key: otherKey),
        ]
        return ReloadableAuthenticator(
            Authenticator(keys: try APIKeys(parsing: entries.map(\.description).joined(separator: "\n")), tokens: nil))
    }

    /// What a raw connection reads, once the last request has asked for its end, without what differs from request to request.
    private func answers(
        to requests: [String], usesEventLoop: Bool, authenticator: ReloadableAuthenticator? = nil,
        limits: ListenerLimits = ListenerLimits(), hosts: AllowedHosts = .any
    ) async throws -> [String] {
        let (results, result) = AsyncStream.makeStream(of: [String].self)
        try await LedgerServer.run(
            usesEventLoop: usesEventLoop, authenticator: authenticator, limits: limits, hosts: hosts
        ) { server in
            var texts: [String] = []
            for request in requests {
                let text = try await RawConnection.onThread(port: server.port) { connection in
                    connection.send(request)
                    connection.send("GET /nowhere HTTP/1.1\r\nHost: relay\r\nConnection: close\r\n\r\n")
                    return connection.read()
                }
                texts.append(Self.withoutWhatVaries(text))
            }
            result.yield(texts)
            result.finish()
        }
        return await results.first { _ in true } ?? []
    }

    private static func withoutWhatVaries(_ answer: String) -> String {
        answer.replacing(
            /(?i)(date|x-request-id|traceparent|server-timing): [^\r]*/, with: { "\($0.output.1.lowercased())" }
        ).replacing(/"(at|begun_at|claimed_at|request_id)":"[^"]*"/, with: "")
    }

    /// Both ways, for each of these requests.
    private func expectSame(
        _ requests: [String], authenticator: ReloadableAuthenticator? = nil, limits: ListenerLimits = ListenerLimits(),
        hosts: AllowedHosts = .any
    ) async throws {
        let inTask = try await answers(
            to: requests, usesEventLoop: false, authenticator: authenticator, limits: limits, hosts: hosts)
        let onLoop = try await answers(
            to: requests, usesEventLoop: true, authenticator: authenticator, limits: limits, hosts: hosts)
        #expect(inTask.count == requests.count && onLoop.count == requests.count)
        for (number, request) in requests.enumerated() where inTask[number] != onLoop[number] {
            Issue.record(
                """
                differs for \(request.prefix(300))
                in a task: \(inTask[number])
                on the event loop: \(onLoop[number])
                """)
        }
    }

    private static func body(_ reference: String, amount: Int = 10_000, token: JSON? = nil) throws -> String {
        let token = try token ?? TokenMint().mint(TokenContents(amount: amount, currency: "AED"), signedAt: Date())
        let json: JSON = [
            "command": "PURCHASE", "merchant_reference": .string(reference), "amount": JSON(amount), "token": token,
        ]
        return String(decoding: json.encoded(), as: UTF8.self)
    }

    private static func post(
        _ body: String, _ fields: String..., path: String = "/v1/payments", mediaType: String? = "application/json"
    ) -> String {
        let type = mediaType.map { "Content-Type: \($0)\r\n" } ?? ""
        let own = fields.map { $0 + "\r\n" }.joined()
        return "POST \(path) HTTP/1.1\r\nHost: relay\r\n\(type)\(own)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    private static func chunked(_ body: String, size: Int, _ fields: String = "") -> String {
        var text =
            "POST /v1/payments HTTP/1.1\r\nHost: relay\r\nContent-Type: application/json\r\n\(fields)Transfer-Encoding: chunked\r\n\r\n"
        var rest = Substring(body)
        while !rest.isEmpty {
            let piece = rest.prefix(size)
            text += "\(String(piece.utf8.count, radix: 16))\r\n\(piece)\r\n"
            rest = rest.dropFirst(size)
        }
        return text + "0\r\n\r\n"
    }

    @Test func answersPaymentsAlike() async throws {
        let paid = Self.post(try Self.body("A-1"))
        let declined = Self.post(try Self.body("A-2", amount: 10_001))
        let uncertain = Self.post(try Self.body("A-3", amount: 10_002))
        try await expectSame([
            paid, paid, declined, uncertain, uncertain, Self.chunked(try Self.body("A-4"), size: 700),
            Self.post(try Self.body("A-5"), "Idempotency-Key: one"),
            Self.post(try Self.body("A-6"), "Idempotency-Key: one"),
            Self.post(try Self.body("A-7"), "Idempotency-Key: \u{e9}"),
            Self.post(try Self.body("A-1")), Self.post(try Self.body("A-8", amount: 5, token: ["version": "EC_v1"])),
        ])
    }

    @Test func refusesAlike() async throws {
        let body = try Self.body("B-1")
        try await expectSame([
            Self.post("{"), Self.post("[]"), Self.post("{}"), Self.post(""), Self.post(body, mediaType: nil),
            Self.post(body, mediaType: "text/plain"), Self.post(body, mediaType: "application/json; charset=utf-8"),
            Self.post(body, "Content-Encoding: gzip"), Self.post(body, "Content-Encoding: identity"),
            Self.post(String(repeating: " ", count: 65_537)), Self.post(String(repeating: " ", count: 65_536)),
            Self.chunked(String(repeating: " ", count: 70_000), size: 9_000),
            Self.post(body, "Sec-Fetch-Site: cross-site"), Self.post(body, "Origin: https://evil.example"),
            Self.post(body, path: "/v1/payments/"), Self.post(body, path: "//v1/payments"),
            Self.post(body, path: "/v1/payments?x=1"), Self.post(body, path: "/v1/%70ayments"),
            Self.post(body, path: "/V1/payments"),
            "GET /v1/payments HTTP/1.1\r\nHost: relay\r\n\r\n", "HEAD /v1/payments HTTP/1.1\r\nHost: relay\r\n\r\n",
            "PUT /v1/payments HTTP/1.1\r\nHost: relay\r\nContent-Length: 2\r\n\r\n{}",
            Self.post(body, "X-Request-Id: mine"), Self.post(body, "traceparent: 00-0-0-00"),
            Self.post(body, "Connection: close"), Self.post("{", "Connection: close"),
            "POST /v1/payments HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}",
            "POST /v1/payments HTTP/1.1\r\nHost: relay\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
            "POST /v1/payments HTTP/1.1\r\nHost: relay\r\nTransfer-Encoding: gzip\r\n\r\n",
            "POST /v1/payments HTTP/1.0\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}",
        ])
    }

    @Test func answersPipelinedRequestsInTheirOrder() async throws {
        let (first, second) = (Self.post(try Self.body("C-1")), Self.post(try Self.body("C-2")))
        let look = "GET /v1/payments/C-1 HTTP/1.1\r\nHost: relay\r\n\r\n"
        // Not of a token: the verdict says how many seconds ago it was signed.
        let verify = Self.post("{}", path: "/v1/tokens/verify")
        try await expectSame([
            first + look + second + look, look + first + "GET /openapi.yaml HTTP/1.1\r\nHost: relay\r\n\r\n" + second,
            verify + first + verify + Self.post("{") + Self.post("[") + first,
            String(repeating: Self.post("{"), count: 200) + first,
            first + first + first + Self.chunked(try Self.body("C-3"), size: 5) + look,
        ])
    }

    @Test("Expect: 100-continue is answered once the body is wanted, and not for a request that its head refuses")
    func answersExpectAlike() async throws {
        let body = try Self.body("D-1")
        try await expectSame([
            Self.post(body, "Expect: 100-continue"), Self.post(body, "Expect: 100-continue", "Content-Encoding: br"),
            Self.chunked(body, size: 1_000, "Expect: 100-continue\r\n"),
        ])
    }

    @Test func authenticatesAndAuthorizesAlike() async throws {
        let body = try Self.body("E-1")
        let own = "Authorization: Bearer \(Self.key.exposed)"
        try await expectSame(
            [
                Self.post(body), Self.post(body, "Authorization: Basic abc"),
                Self.post(body, "Authorization: Bearer \(APIKey().exposed)"),
                Self.post(body, "Authorization: Bearer a.b.c"), Self.post(body, own),
                Self.post(body, own, own), Self.post(body, "Authorization: Bearer \(Self.otherKey.exposed)"),
                Self.post(body, own, "X-Forwarded-For: 192.0.2.9"),
            ], authenticator: try Self.authenticator())
    }

    @Test func refusesForeignHostsAlike() async throws {
        let body = try Self.body("F-1")
        try await expectSame(
            [
                Self.post(body), Self.post(body).replacing("Host: relay", with: "Host: localhost"),
                Self.post(body).replacing("Host: relay", with: "Host: evil.example"),
            ], hosts: AllowedHosts())
    }

    @Test(arguments: [true, false]) func limitsTheRate(usesEventLoop: Bool) async throws {
        // Ten seconds' worth may come at once.
        let texts = try await answers(
            to: [String(repeating: Self.post("{"), count: 60)], usesEventLoop: usesEventLoop,
            limits: ListenerLimits(clientRequestsPerSecond: 1))
        let statuses = texts[0].matches(of: /HTTP\/1.1 ([0-9]+)/).map(\.output.1)
        #expect(statuses.count == 61 && statuses.prefix(10).allSatisfy { $0 == "400" })
        #expect(statuses.dropFirst(10).contains("429"))
    }

    @Test(arguments: [true, false]) func answersAHalfClosedConnection(usesEventLoop: Bool) async throws {
        let request = Self.post(try Self.body("G-1"))
        try await LedgerServer.run(usesEventLoop: usesEventLoop) { server in
            let text = try await RawConnection.onThread(port: server.port) { connection in
                connection.send(request)
                connection.finishSending()
                return connection.read()
            }
            #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n"))
        }
    }

    @Test("R5: a payment whose client has gone is carried through") func carriesAPaymentThroughWithoutItsClient()
        async throws
    {
        let request = Self.post(try Self.body("H-1"))
        try await LedgerServer.run { server in
            try await RawConnection.onThread(port: server.port) { $0.send(request) }
            var outcome: JSON?
            while outcome != "captured" {
                outcome = try await server.get("/v1/payments/H-1").json["outcome"]
                try await Task.sleep(for: .milliseconds(5))
            }
        }
    }

    @Test func readsNoMoreWhileManyRequestsWait() async throws {
        // More than is read at once; all of it is answered, in order.
        let requests = try (0..<40).map { Self.post(try Self.body("I-\($0)")) }
        try await LedgerServer.run { server in
            let text = try await RawConnection.onThread(port: server.port) { connection in
                Thread.detachNewThread { for request in requests { connection.send(request) } }
                var text = ""
                while text.split(separator: "\"merchant_reference\":").count <= requests.count, !connection.isEnded {
                    text += connection.read(until: "}")
                }
                return text
            }
            let references = text.matches(of: /"merchant_reference":"I-([0-9]+)"/).compactMap { Int($0.output.1) }
            #expect(references == Array(0..<40))
        }
    }
}
