import Foundation
import OutboundHTTP
import PayrelayPrimitives
import TestPrograms
import Testing

/// The parts of the HTTP contract that hold for every client.
@Suite struct HTTPContractTests {
    private static let head = "POST /v1/payments HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"

    /// Returns the whole answer to these bytes.
    private func exchange(_ relay: RunningRelay, _ text: String, finish: Bool = true) throws -> String {
        let connection = try RawConnection(port: relay.port)
        connection.send(text)
        if finish { connection.finishSending() }
        return connection.read()
    }

    @Test("S10: every answer has Cache-Control no-store")
    func everyAnswerIsNoStore() async throws {
        let relay = try await RunningRelay(["PAYRELAY_FORT_TIMEOUT_SECONDS": "15"])
        let order = try Orders.body()
        let good = order.json.encoded()
        let answers: [(status: Int, answer: OutboundAnswer)] = [
            (200, try await relay.pay(order.json)),
            (202, try await relay.pay(try Orders.body(amount: 10_408).json)),
            (400, try await relay.post("/v1/payments", Array("{".utf8))),
            (404, try await relay.get("/nowhere")),
            (404, try await relay.get("/v1/payments/nobody")),
            (405, try await relay.get("/v1/tokens/verify")),
            (409, try await relay.pay(order.with(["merchant_reference": .string(Orders.reference())]))),
            (413, try await relay.post("/v1/payments", good + [UInt8](repeating: 0x20, count: 262_144))),
            (415, try await relay.post("/v1/payments", good, contentType: nil)),
            (422, try await relay.pay(order.with(["language": "ar"]))),
        ]
        for (status, answer) in answers {
            #expect(answer.status == status)
            #expect(answer.header("Cache-Control") == "no-store", "\(status)")
            #expect(answer.header("X-Request-Id")?.wholeMatch(of: /[0-9a-f]{32}/) != nil)
            #expect((answer.header("Location") != nil) == (status == 202))
            #expect(status != 202 || answer.header("Retry-After") == "2")
            if status >= 400 {
                #expect(answer.header("Content-Type") == "application/problem+json")
                #expect(answer.json?["status"] == JSON(status))
                #expect(answer.json?["type"]?.stringValue?.hasPrefix("urn:payrelay:problem:") == true)
            }
        }
        #expect(Set(answers.map { $0.answer.header("X-Request-Id") }).count == answers.count)
    }

    @Test func aMethodThatAPathDoesNotTakeIsAnsweredWithThoseThatItTakes() async throws {
        let relay = try await RunningRelay()
        for method in ["PUT", "PATCH", "DELETE", "OPTIONS", "GET", "HEAD"] {
            let answer = try exchange(relay, "\(method) /v1/tokens/verify HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(answer.hasPrefix("HTTP/1.1 405"), "\(method)")
            #expect(answer.contains("Allow: POST\r\n"), "\(method)")
            #expect(answer.contains("Cache-Control: no-store\r\n"), "\(method)")
        }
    }

    @Test func headIsGetWithoutTheBody() async throws {
        let relay = try await RunningRelay()
        let body = try Orders.body()
        _ = try await relay.pay(body.json)
        let path = "/v1/payments/\(body["merchant_reference"]?.stringValue ?? "")"
        let known = try await relay.get(path)
        // A body after either of the first two answers would be parsed as the next answer.
        let answers = try exchange(
            relay,
            "HEAD \(path) HTTP/1.1\r\nHost: localhost\r\n\r\nHEAD /nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n"
                + "GET /nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n"
        ).components(separatedBy: "\r\n\r\n")
        try #require(answers.count == 4)
        #expect(answers[0].hasPrefix("HTTP/1.1 200"))
        #expect(answers[0].contains("Content-Length: \(known.body.count)\r\n"))
        #expect(answers[1].hasPrefix("HTTP/1.1 404"))
        #expect(answers[2].hasPrefix("HTTP/1.1 404"))
        #expect(answers[3].hasPrefix("{"))
    }

    @Test func onlyJSONIsRead() async throws {
        let relay = try await RunningRelay()
        for (contentType, status) in [
            ("application/json", 400), ("application/json; charset=utf-8", 400),
            ("Application/JSON ;charset=utf-8", 400), ("application/jsonx", 415), ("application/json+x", 415),
            ("text/json", 415), ("", 415), ("application/x-www-form-urlencoded", 415),
        ] {
            let answer = try await relay.post("/v1/payments", Array("{}".utf8), contentType: contentType)
            #expect(answer.status == status, "\(contentType)")
        }
    }

    @Test("S4: a body beyond the limit is answered with 413")
    func aBodyMayBeAsLongAsTheLimitAndNoLonger() async throws {
        let relay = try await RunningRelay(["PAYRELAY_HTTP_BODY_BYTES_MAX": "16384"])
        let order = try Orders.body().json.encoded()
        let longest = order + [UInt8](repeating: 0x20, count: 16_384 - order.count)
        #expect(try await relay.post("/v1/payments", longest + [0x20]).problem == "body-too-large")
        #expect(try await relay.sandbox.books().isEmpty)
        #expect(try await relay.post("/v1/payments", longest).outcome == "captured")
    }

    @Test("S4: a chunked body beyond the limit is answered with 413")
    func aBodyWithoutADeclaredLengthHasTheSameLimit() async throws {
        let relay = try await RunningRelay(["PAYRELAY_HTTP_BODY_BYTES_MAX": "16384"])
        let chunk = "1000\r\n" + String(repeating: " ", count: 4_096) + "\r\n"
        let chunks = String(repeating: chunk, count: 5) + "0\r\n\r\n"
        #expect(
            try exchange(relay, Self.head + "Transfer-Encoding: chunked\r\n\r\n" + chunks).hasPrefix("HTTP/1.1 413"))
        let order = String(decoding: try Orders.body().json.encoded(), as: UTF8.self)
        let halves = [order.prefix(1_000), order.dropFirst(1_000)]
        let chunked = halves.map { "\(String($0.utf8.count, radix: 16))\r\n\($0)\r\n" }.joined() + "0\r\n\r\n"
        #expect(
            try exchange(relay, Self.head + "Transfer-Encoding: chunked\r\n\r\n" + chunked).hasPrefix("HTTP/1.1 200"))
    }

    @Test("S4: JSON beyond the depth limit is answered with 400")
    func jsonThatIsNestedTooDeeplyIsRefused() async throws {
        let relay = try await RunningRelay()
        let deep = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
        let answer = try await relay.post("/v1/payments", Array(#"{"token":\#(deep)}"#.utf8))
        #expect(answer.status == 400 && answer.problem == "not-json")
        #expect(answer.json?["detail"]?.stringValue?.contains("nested deeper than 16") == true)
    }

    @Test func aBodyThatIsNotAnObjectIsRefused() async throws {
        let relay = try await RunningRelay()
        for text in ["", "null", "[]", "\"x\"", "{", "{\"a\":1,\"a\":2}", "{}x", "\u{FEFF}{}"] {
            let answer = try await relay.post("/v1/payments", Array(text.utf8))
            #expect(answer.status == 400 && answer.problem == "not-json", "\(text)")
        }
    }

    @Test func everyWrongFieldIsNamedOnce() async throws {
        let relay = try await RunningRelay()
        let order = try Orders.body().with([
            "command": "REFUND", "merchant_reference": 7, "amount": .number("10.5"), "currency": nil,
            "customer_email": "x",
            "customer_ip": [], "token": "{}", "colour": "red",
        ])
        let answer = try await relay.pay(order)
        #expect(answer.status == 400)
        #expect(
            answer.faultyFields.sorted() == [
                "amount", "colour", "command", "currency", "customer_email", "customer_ip", "merchant_reference",
                "token.paymentData",
            ])
    }

    @Test func aRequestThatIsCutShortChargesNothing() async throws {
        let relay = try await RunningRelay()
        let order = String(decoding: try Orders.body().json.encoded(), as: UTF8.self)
        let whole = Self.head + "Content-Length: \(order.utf8.count)\r\n\r\n" + order
        let answer = try exchange(relay, String(whole.dropLast(1)))
        #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 400"))
        #expect(try exchange(relay, Self.head + "Transfer-Encoding: chunked\r\n\r\nzz\r\n").hasPrefix("HTTP/1.1 400"))
        #expect(try await relay.sandbox.books().isEmpty)
        #expect(!relay.program.text.contains("\"level\":\"error\""))
        #expect(try exchange(relay, whole).hasPrefix("HTTP/1.1 200"))
    }

    @Test func pipelinedRequestsAreAnsweredInTheirOrder() async throws {
        let relay = try await RunningRelay()
        let requests = ["/v1/payments/a", "/v1/tokens/verify", "/nowhere"].map {
            "GET \($0) HTTP/1.1\r\nHost: localhost\r\n\r\n"
        }
        let answers = try exchange(relay, requests.joined())
        let slugs = answers.matches(of: /urn:payrelay:problem:([a-z-]+)/).map { String($0.1) }
        #expect(slugs == ["no-such-payment", "method-not-allowed", "not-found"])
    }

    /// RFC 9112, 6.1 and 6.3. Proxies use HTTP/1.0, nginx by default.
    @Test func overHTTP10AnExportEndsWithItsConnection() async throws {
        let relay = try await RunningRelay()
        _ = try await relay.pay(try Orders.body().json)
        let export = try await relay.get("/v1/payments", headers: [(name: "Accept", value: "text/csv")])
        let answer = try exchange(
            relay, "GET /v1/payments HTTP/1.0\r\nHost: localhost\r\nAccept: text/csv\r\n\r\n", finish: false)
        let parts = answer.components(separatedBy: "\r\n\r\n")
        try #require(parts.count == 2)
        #expect(parts[0].contains(" 200 ") && !parts[0].lowercased().contains("transfer-encoding"))
        #expect(parts[1] == String(decoding: export.body, as: UTF8.self))
    }

    /// RFC 9110, 10.1.1: the client sends its body after 100 or a final status.
    @Test func expect100ContinueIsAnsweredWith100() async throws {
        let relay = try await RunningRelay()
        let order = String(decoding: try Orders.body().json.encoded(), as: UTF8.self)
        let connection = try RawConnection(port: relay.port)
        connection.send(Self.head + "Expect: 100-continue\r\nContent-Length: \(order.utf8.count)\r\n\r\n")
        #expect(connection.read(until: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
        connection.send(order)
        connection.finishSending()
        #expect(connection.read().hasPrefix("HTTP/1.1 200"))
    }

    @Test func livenessAndReadinessAreOnTheAdminListenerOnly() async throws {
        let relay = try await RunningRelay()
        let client = OutboundClient()
        defer { client.shutdown() }
        for (path, status) in [("live", 200), ("ready", 200), ("v1/payments", 404)] {
            let url = "http://127.0.0.1:\(relay.adminPort)/\(path)"
            let answer = try await client.send(
                OutboundRequest(method: .get, url: url, connectTimeout: .seconds(90), timeout: .seconds(300))
            ).get()
            #expect(answer.status == status)
            #expect(answer.header("Cache-Control") == "no-store")
            #expect(status == 200 || answer.problem == "not-found")
        }
        #expect(try await relay.get("/live").status == 404)
    }
}
