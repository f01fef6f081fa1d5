import Foundation
import OutboundHTTP
import PayrelayPrimitives
import TestPrograms
import Testing

/// Each limit has one setting and a separate status.
@Suite struct ListenerLimitTests {
    private func head(_ fields: String) -> String { "GET /v1/payments/a HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n" }

    private func answer(_ relay: RunningRelay, _ text: String) throws -> String {
        let connection = try RawConnection(port: relay.port)
        connection.send(text)
        connection.finishSending()
        return connection.read()
    }

    @Test("S4: headers beyond the limit are answered with 431")
    func aHeadThatIsTooLargeIs431() async throws {
        let relay = try await RunningRelay(["PAYRELAY_HTTP_HEADER_BYTES_MAX": "2048"])
        let long = String(repeating: "x", count: 2_049)
        let many = (1...101).map { "X-\($0): x\r\n" }.joined()
        let tooLarge = [
            head("X: \(long)\r\n"), head((1...40).map { "X-\($0): \(long.prefix(100))\r\n" }.joined()), head(many),
            "GET /\(long) HTTP/1.1\r\nHost: localhost\r\n\r\n",
            // The remaining bytes are not read, and the answer still arrives.
            head("X: \(String(repeating: "x", count: 1_000_000))\r\n"),
        ]
        for text in tooLarge {
            let answer = try answer(relay, text)
            #expect(answer.hasPrefix("HTTP/1.1 431 "), "\(text.prefix(80))")
            #expect(answer.contains("urn:payrelay:problem:headers-too-large"))
        }
        #expect(try answer(relay, head("X: \(long.prefix(1_900))\r\n")).hasPrefix("HTTP/1.1 404 "))
        #expect(try answer(relay, head((1...90).map { "X-\($0): x\r\n" }.joined())).hasPrefix("HTTP/1.1 404 "))
    }

    @Test("S4, S14: a connection beyond the limit closes the oldest one without a request")
    func aConnectionBeyondTheLimitClosesOneWithoutARequest() async throws {
        let relay = try await RunningRelay([
            "PAYRELAY_HTTP_CONNECTIONS_MAX": "8", "PAYRELAY_HTTP_HEAD_TIMEOUT_SECONDS": "3600",
            "PAYRELAY_HTTP_IDLE_TIMEOUT_SECONDS": "3600",
        ])
        let served = try RawConnection(port: relay.port)
        func ask(_ connection: RawConnection) -> String {
            connection.send(head(""))
            return connection.read(until: "}")
        }
        #expect(ask(served).hasPrefix("HTTP/1.1 404 "))
        let flood = try (1...20).map { _ in try RawConnection(port: relay.port) }
        for _ in 1...10 { #expect(ask(served).hasPrefix("HTTP/1.1 404 ")) }
        // A new connection is accepted at once, and another connection of the flood is closed for it.
        let newcomer = try RawConnection(port: relay.port)
        #expect(ask(newcomer).hasPrefix("HTTP/1.1 404 "))
        try await relay.program.wait(for: "all but six of the flood to be gone") {
            flood.count { $0.isEnded } == 14
        }
        #expect(try await relay.metric(#"payrelay_http_shed_total{kind="connection"}"#) == 14)
    }

    /// Bytes after the last request of a connection are not a request that waits for its response.
    @Test("S14: connections that have their last response, and stay, are closed in favour of others")
    func connectionsWithTheirLastResponseMakeRoom() async throws {
        let relay = try await RunningRelay([
            "PAYRELAY_HTTP_CONNECTIONS_MAX": "8", "PAYRELAY_HTTP_HEAD_TIMEOUT_SECONDS": "3600",
            "PAYRELAY_HTTP_IDLE_TIMEOUT_SECONDS": "3600",
        ])
        let requests = [
            "GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
            "GET /a HTTP/1.1\r\nHost: localhost\r\nConnection: close\t\r\n\r\n",
        ]
        // There are as many connections as the relay accepts at once, and each is read to its end.
        let ended = try (0..<16).map { number in
            let connection = try RawConnection(port: relay.port)
            connection.send(requests[number % 2] + requests[number % 2])
            #expect(connection.read().matches(of: #/HTTP/1\.1 /#).count == 1)
            return connection
        }
        let newcomer = try RawConnection(port: relay.port)
        newcomer.send(head(""))
        #expect(newcomer.read(until: "}").hasPrefix("HTTP/1.1 404 "))
        withExtendedLifetime(ended) {}
    }

    @Test("S4: requests beyond the limit in flight are answered with 503")
    func requestsBeyondTheLimitInFlightAre503() async throws {
        let fort = try AnsweringFort.silent()
        let relay = try await RunningRelay([
            "PAYRELAY_FORT_ENDPOINT": fort.endpoint, "PAYRELAY_FORT_RESPONSE_PHRASE": AnsweringFort.phrase,
            "PAYRELAY_FORT_TIMEOUT_SECONDS": "300",
            "PAYRELAY_HTTP_REQUESTS_IN_FLIGHT_MAX": "2",
        ])
        // Both clients disconnect. Their payments continue and still count.
        let gone = try (1...2).map { _ in try RawConnection(port: relay.port) }
        for connection in gone {
            let body = String(decoding: try Orders.body().json.encoded(), as: UTF8.self)
            connection.send(
                "POST /v1/payments HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                    + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
            connection.finishSending()
        }
        // A GET request would take a slot from one of them.
        try await relay.program.wait(for: "two requests under way") {
            try await relay.metric("payrelay_http_requests_under_way") == 2
        }
        #expect(try await relay.get("/v1/payments/a").status == 503)
        let refused = try RawConnection(port: relay.port)
        refused.send(
            "POST /v1/payments HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n"
        )
        let answer = refused.read(until: "}")
        #expect(answer.hasPrefix("HTTP/1.1 503 "))
        #expect(answer.contains("urn:payrelay:problem:too-busy"))
        #expect(answer.contains("Retry-After: 1\r\n"))
        // Both requests to FORT end.
        fort.stop()
        try await relay.program.wait(for: "room") { try await relay.get("/v1/payments/a").status == 404 }
    }

    @Test("S4: a client beyond its rate limit is answered with 429")
    func aClientThatSendsTooFastIs429() async throws {
        let relay = try await RunningRelay(["PAYRELAY_HTTP_CLIENT_REQUESTS_PER_SECOND_MAX": "1"])
        var statuses: [Int] = []
        while statuses.last != 429, statuses.count < 100 {
            let answer = try await relay.get("/v1/payments/a")
            statuses.append(answer.status)
            if answer.status == 429 {
                #expect(answer.problem == "too-many-requests")
                #expect(answer.header("Retry-After").flatMap { Int($0) } == 1)
            }
        }
        #expect(statuses.count > 10 && statuses.count < 100)
        #expect(Set(statuses.dropLast()) == [404])
        // FORT's feedback does not count.
        let feedback = try await relay.post("/v1/feedback/direct", Array("{}".utf8))
        #expect(feedback.status != 429)
        try await relay.program.wait(for: "its turn") { try await relay.get("/v1/payments/a").status == 404 }
    }

    @Test("S14: each client has its own rate limit at a shared address")
    func eachClientHasItsOwnRateLimitAtASharedAddress() async throws {
        let (shop, bank) = (try await GeneratedKey("shop"), try await GeneratedKey("bank"))
        let relay = try await RunningRelay([
            "PAYRELAY_HTTP_CLIENT_REQUESTS_PER_SECOND_MAX": "1", "PAYRELAY_API_KEYS": "\(shop.line); \(bank.line)",
        ])
        func statuses(_ credential: String) async throws -> [Int] {
            var statuses: [Int] = []
            while statuses.last != 429, statuses.count < 100 {
                statuses.append(try await relay.get("/v1/payments/a", headers: bearer(credential)).status)
            }
            return statuses
        }
        // Invalid credentials are counted by the address, which all clients of this test share.
        for (credential, status) in [("payrelay_guess", 401), (shop.key, 404), (bank.key, 404)] {
            let statuses = try await statuses(credential)
            #expect(statuses.count > 10 && statuses.last == 429)
            #expect(Set(statuses.dropLast()) == [status])
        }
    }
}
