import AccessControl
import Foundation
import HTTPListener
import PayrelayPrimitives
import RelayServer
import TestPrograms
import Testing
import TokenMint

/// The sequence of checks that every route has, over sockets: which requests are refused, with which status, and in which
/// order.
@Suite struct RequestSequenceTests {
    private static let key = APIKey()
    private static let otherKey = APIKey()

    private static func authenticator() throws -> ReloadableValue<Authenticator> {
        let entries = [
            try APIKeyEntry(name: "shop", permission: [.paymentsCreate, .paymentsRead], key: key),
            try APIKeyEntry(name: "bank", permission: [.paymentsRead], key: otherKey),
        ]
        return ReloadableValue(
            Authenticator(keys: try APIKeys(parsing: entries.map(\.description).joined(separator: "\n")), tokens: nil))
    }

    /// Returns, for each text, the statuses of the answers on a raw connection. A text may contain several requests.
    private func statuses(
        of texts: [String], authenticator: ReloadableValue<Authenticator>? = nil,
        limits: ListenerLimits = ListenerLimits(),
        hosts: AllowedHosts = .any
    ) async throws -> [[Int]] {
        let (results, result) = AsyncStream.makeStream(of: [[Int]].self)
        try await LedgerServer.run(authenticator: authenticator, limits: limits, hosts: hosts) { server in
            var statuses: [[Int]] = []
            for text in texts {
                let answer = try await RawConnection.onThread(port: server.port) { connection in
                    connection.send(text)
                    connection.send("GET /nowhere HTTP/1.1\r\nHost: relay\r\nConnection: close\r\n\r\n")
                    return connection.read()
                }
                statuses.append(answer.matches(of: /HTTP\/1.1 ([0-9]{3})/).compactMap { Int($0.output.1) })
            }
            result.yield(statuses)
            result.finish()
        }
        return await results.first { _ in true } ?? []
    }

    /// Expects the status of each request, sent separately.
    private func expect(
        _ requests: [(text: String, status: Int)], authenticator: ReloadableValue<Authenticator>? = nil,
        hosts: AllowedHosts = .any
    ) async throws {
        let statuses = try await statuses(of: requests.map(\.text), authenticator: authenticator, hosts: hosts)
        #expect(statuses.count == requests.count)
        for (request, statuses) in zip(requests, statuses) {
            #expect(statuses.first == request.status, "\(request.text.prefix(300))")
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

    @Test func answersPayments() async throws {
        let paid = Self.post(try Self.body("A-1"))
        let uncertain = Self.post(try Self.body("A-3", amount: 10_002))
        try await expect([
            (paid, 200), (paid, 200), (Self.post(try Self.body("A-2", amount: 10_001)), 200), (uncertain, 202),
            (uncertain, 202), (Self.chunked(try Self.body("A-4"), size: 700), 200),
            (Self.post(try Self.body("A-5"), "Idempotency-Key: one"), 200),
            (Self.post(try Self.body("A-6"), "Idempotency-Key: one"), 422),
            (Self.post(try Self.body("A-7"), "Idempotency-Key: \u{e9}"), 400),
            (Self.post(try Self.body("A-1")), 422),
            (Self.post(try Self.body("A-8", amount: 5, token: ["version": "EC_v1"])), 400),
        ])
    }

    @Test func refusesABodyThatIsNotARequestOfTheRoute() async throws {
        let body = try Self.body("B-1")
        try await expect([
            (Self.post("{"), 400), (Self.post("[]"), 400), (Self.post("{}"), 400), (Self.post(""), 400),
            (Self.post(body, mediaType: nil), 415), (Self.post(body, mediaType: "text/plain"), 415),
            (Self.post(body, mediaType: "application/json; charset=utf-8"), 200),
            (Self.post(body, "Content-Type: application/json"), 415),
            (Self.post(body, "Content-Encoding: gzip"), 415), (Self.post(body, "Content-Encoding: identity"), 200),
            (Self.post(String(repeating: " ", count: 65_537)), 413),
            (Self.post(String(repeating: " ", count: 65_536)), 400),
            (Self.chunked(String(repeating: " ", count: 70_000), size: 9_000), 413),
            (Self.post(body, "Sec-Fetch-Site: cross-site"), 403),
            (Self.post(body, "Origin: https://evil.example"), 403),
            (Self.post(body, path: "/v1/payments/"), 404), (Self.post(body, path: "//v1/payments"), 404),
            (Self.post(body, path: "/v1/payments?x=1"), 200), (Self.post(body, path: "/v1/%70ayments"), 404),
            (Self.post(body, path: "/V1/payments"), 404), ("GET /v1/payments HTTP/1.1\r\nHost: relay\r\n\r\n", 200),
            ("HEAD /v1/payments HTTP/1.1\r\nHost: relay\r\n\r\n", 200),
            ("PUT /v1/payments HTTP/1.1\r\nHost: relay\r\nContent-Length: 2\r\n\r\n{}", 405),
            (Self.post(body, "X-Request-Id: mine"), 200), (Self.post(body, "traceparent: 00-0-0-00"), 200),
            (Self.post(body, "Connection: close"), 200), (Self.post("{", "Connection: close"), 400),
            ("POST /v1/payments HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}", 400),
            ("POST /v1/payments HTTP/1.1\r\nHost: relay\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}", 400),
            ("POST /v1/payments HTTP/1.1\r\nHost: relay\r\nTransfer-Encoding: gzip\r\n\r\n", 400),
            (
                "POST /v1/payments HTTP/1.0\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}", 400
            ),
        ])
    }

    @Test func answersPipelinedRequestsInTheirOrder() async throws {
        let (first, second) = (Self.post(try Self.body("C-1")), Self.post(try Self.body("C-2")))
        let look = "GET /v1/payments/C-1 HTTP/1.1\r\nHost: relay\r\n\r\n"
        let document = "GET /openapi.yaml HTTP/1.1\r\nHost: relay\r\n\r\n"
        let verify = Self.post("{}", path: "/v1/tokens/verify")
        let answers = try await statuses(of: [
            look + first + document + second + look,
            verify + first + verify + Self.post("{") + Self.post("[") + first,
            String(repeating: Self.post("{"), count: 200) + first,
            first + first + Self.chunked(try Self.body("C-3"), size: 5) + look,
        ])
        // The last status belongs to the request that ends the connection.
        #expect(
            answers == [
                [404, 200, 200, 200, 200, 404], [400, 200, 400, 400, 400, 200, 404],
                [Int](repeating: 400, count: 200) + [200, 404], [200, 200, 200, 200, 404],
            ])
    }

    @Test("Expect: 100-continue is answered once the body is wanted, and not for a request that its head refuses")
    func answersExpect() async throws {
        let body = try Self.body("D-1")
        let answers = try await statuses(of: [
            // The body arrives together with its head, so it did not wait.
            Self.post(body, "Expect: 100-continue"), Self.post(body, "Expect: 100-continue", "Content-Encoding: br"),
        ])
        #expect(answers == [[200, 404], [415, 404]])
        try await LedgerServer.run { server in
            let text = try await RawConnection.onThread(port: server.port) { connection in
                connection.send(
                    Self.post(body, "Expect: 100-continue").replacingOccurrences(of: body, with: ""))
                let early = connection.read(until: "\r\n\r\n")
                connection.send(body)
                return early + connection.read(until: "}")
            }
            #expect(text.hasPrefix("HTTP/1.1 100 Continue\r\n") && text.contains("HTTP/1.1 200 OK\r\n"))
        }
    }

    @Test func authenticatesAndAuthorizes() async throws {
        let body = try Self.body("E-1")
        let own = "Authorization: Bearer \(Self.key.exposed)"
        try await expect(
            [
                (Self.post(body), 401), (Self.post(body, "Authorization: Basic abc"), 401),
                (Self.post(body, "Authorization: Bearer \(APIKey().exposed)"), 401),
                (Self.post(body, "Authorization: Bearer a.b.c"), 401), (Self.post(body, own), 200),
                (Self.post(body, own, own), 401),
                (Self.post(body, "Authorization: Bearer \(Self.otherKey.exposed)"), 403),
                (Self.post(body, own, "X-Forwarded-For: 192.0.2.9"), 200),
            ], authenticator: try Self.authenticator())
    }

    @Test func refusesForeignHosts() async throws {
        let body = try Self.body("F-1")
        try await expect(
            [
                (Self.post(body), 421), (Self.post(body).replacing("Host: relay", with: "Host: localhost"), 200),
                (Self.post(body).replacing("Host: relay", with: "Host: evil.example"), 421),
            ], hosts: AllowedHosts())
    }

    @Test func limitsTheRate() async throws {
        // The requests of ten seconds may come at once.
        let statuses = try await statuses(
            of: [String(repeating: Self.post("{"), count: 60)], limits: ListenerLimits(clientRequestsPerSecond: 1))[0]
        #expect(statuses.count == 61 && statuses.prefix(10).allSatisfy { $0 == 400 })
        #expect(statuses.dropFirst(10).contains(429))
    }

    @Test func answersAHalfClosedConnection() async throws {
        let request = Self.post(try Self.body("G-1"))
        try await LedgerServer.run { server in
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
        // These are more bytes than are read at once. All requests are answered, in order.
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
