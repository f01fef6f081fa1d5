import Foundation
import OutboundHTTP
import PayrelayPrimitives
import TestPrograms
import Testing

/// Clients that hold resources without using them. Other clients are still served.
@Suite struct StarvationTests {
    private static let half =
        "Host: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n"

    /// Settings with deadlines so long that no connection is closed for being late.
    private static let patience = ["PAYRELAY_HTTP_BODY_TIMEOUT_SECONDS": "3600"]

    /// Sends one half of each request.
    private func halves(
        _ count: Int, to relay: RunningRelay, _ path: String, from source: String = "127.0.0.1", fields: String = "",
        body: String = "{"
    ) throws -> [RawConnection] {
        try (0..<count).map { _ in
            let connection = try RawConnection(port: relay.port, from: source)
            connection.send("POST \(path) HTTP/1.1\r\n\(Self.half)\(fields)\r\n\(body)")
            return connection
        }
    }

    /// Waits until the relay has read the beginnings of `count` requests.
    private func wait(for count: Int, _ relay: RunningRelay) async throws {
        try await relay.program.wait(for: "\(count) requests") {
            try await relay.metric("payrelay_http_requests_under_way") == count
        }
    }

    @Test("S14: half-sent bodies hold no slot in flight")
    func halfSentBodiesHoldNoPlace() async throws {
        let relay = try await RunningRelay(["PAYRELAY_HTTP_REQUESTS_IN_FLIGHT_MAX": "16"].merging(Self.patience) { $1 })
        let slow = try halves(100, to: relay, "/v1/payments")
        let feedback = try halves(100, to: relay, "/v1/feedback/direct")
        try await wait(for: 200, relay)
        for _ in 1...3 { #expect(try await relay.pay(Orders.body().json).outcome == "captured") }
        let forged = try await relay.post("/v1/feedback/direct", Array("{}".utf8))
        #expect(forged.status == 400 || forged.status == 401)
        #expect((slow + feedback).allSatisfy { $0.hasNothingToRead })
    }

    @Test("S14: half-sent bodies of one order token hold no slot of others")
    func halfSentBodiesOfOneOrderTokenHoldNoPlaceOfOthers() async throws {
        let issuer = TokenIssuer()
        let folder = try TemporaryFolder()
        let key = try await GeneratedKey("shop")
        let relay = try await RunningRelay(
            [
                "PAYRELAY_HTTP_REQUESTS_IN_FLIGHT_MAX": "16", "PAYRELAY_API_KEYS": key.line,
                "PAYRELAY_JWT_KEYS_FILE": issuer.file(in: folder),
            ].merging(Self.patience) { $1 })
        let token = try issuer.orderToken("ORDER-1")
        let slow = try halves(100, to: relay, "/v1/payments", fields: "Authorization: Bearer \(token)\r\n")
        try await wait(for: 100, relay)
        let answer = try await relay.post(
            "/v1/payments", Orders.body().json.encoded(), headers: bearer(key.key))
        #expect(answer.outcome == "captured")
        #expect(slow.allSatisfy { $0.hasNothingToRead })
    }

    /// FORT does not answer, and many phones pay one order each. The client that issued their tokens still has free slots.
    @Test("S14: the order tokens of a client cannot take all slots in flight")
    func theOrderTokensOfAClientCannotHaveAllPlaces() async throws {
        let fort = try AnsweringFort.silent()
        let issuer = TokenIssuer()
        let folder = try TemporaryFolder()
        let key = try await GeneratedKey("shop")
        let relay = try await RunningRelay(
            [
                "PAYRELAY_HTTP_REQUESTS_IN_FLIGHT_MAX": "32", "PAYRELAY_API_KEYS": key.line,
                "PAYRELAY_JWT_KEYS_FILE": issuer.file(in: folder),
                "PAYRELAY_FORT_ENDPOINT": fort.endpoint, "PAYRELAY_FORT_RESPONSE_PHRASE": AnsweringFort.phrase,
                "PAYRELAY_FORT_TIMEOUT_SECONDS": "300", "PAYRELAY_ANSWER_AFTER_SECONDS": "300",
            ])
        let phones = try (1...48).map { _ in
            let reference = Orders.reference()
            let body = try Orders.body(reference).with(["customer_ip": nil])
            let order = String(decoding: body.encoded(), as: UTF8.self)
            let connection = try RawConnection(port: relay.port)
            connection.send(
                "POST /v1/payments HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                    + "Authorization: Bearer \(try issuer.orderToken(reference))\r\n"
                    + "Content-Length: \(order.utf8.count)\r\n\r\n\(order)")
            return connection
        }
        // Half of the slots are taken by requests that wait for FORT. The other phones got 503.
        try await relay.program.wait(for: "the refusals") { phones.count { !$0.hasNothingToRead } == 32 }
        #expect(try await relay.metric("payrelay_http_requests_under_way") == 16)
        for _ in 1...5 {
            #expect(try await relay.get("/v1/payments/none", headers: bearer(key.key)).status == 404)
        }
        withExtendedLifetime(phones) {}
    }

    @Test("S14: idle connections are closed in favour of others")
    func idleConnectionsMakeRoom() async throws {
        let relay = try await RunningRelay([
            "PAYRELAY_HTTP_CONNECTIONS_MAX": "64", "PAYRELAY_HTTP_HEAD_TIMEOUT_SECONDS": "60",
        ])
        // The connections of another address stay open, because that address has fewer connections.
        let kept = try (1...4).map { _ in try RawConnection(port: relay.port, from: "127.0.0.9") }
        let flood = try (1...200).map { _ in try RawConnection(port: relay.port) }
        #expect(try await relay.pay(Orders.body().json).outcome == "captured")
        let newcomer = try RawConnection(port: relay.port, from: "127.0.0.8")
        newcomer.send("GET /v1/payments/a HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(newcomer.read(until: "}").hasPrefix("HTTP/1.1 404 "))
        try await relay.program.wait(for: "their end") { flood.count { $0.isEnded } >= 130 }
        withExtendedLifetime(kept) {}
    }

    /// A half-sent request does not protect its connection.
    @Test("S14: connections with half a request are closed in favour of others")
    func connectionsWithHalfARequestMakeRoomToo() async throws {
        let relay = try await RunningRelay(["PAYRELAY_HTTP_CONNECTIONS_MAX": "64"].merging(Self.patience) { $1 })
        let slow = try halves(200, to: relay, "/v1/feedback/direct")
        #expect(try await relay.pay(Orders.body().json).outcome == "captured")
        try await relay.program.wait(for: "their end") { slow.count { !$0.hasNothingToRead } >= 130 }
        let refusal = slow.first { !$0.hasNothingToRead }?.read() ?? ""
        #expect(refusal.isEmpty || refusal.hasPrefix("HTTP/1.1 503 "))
    }

    @Test("S14: abandoned TLS handshakes are closed in favour of others")
    func abandonedTLSHandshakesMakeRoom() async throws {
        let folder = try TemporaryFolder()
        let certificate = try ServerCertificate("relay", in: folder)
        let relay = try await RunningRelay([
            "PAYRELAY_HTTP_CONNECTIONS_MAX": "32", "PAYRELAY_HTTP_HEAD_TIMEOUT_SECONDS": "60",
            "PAYRELAY_HTTP_TLS_CERTIFICATE_FILE": certificate.certificateFile,
            "PAYRELAY_HTTP_TLS_KEY_FILE": certificate.keyFile,
        ])
        let flood = try (1...100).map { _ in try RawConnection(port: relay.port) }
        let client = OutboundClient(OutboundSettings(caFile: certificate.certificateFile))
        defer { client.shutdown() }
        let request = OutboundRequest(
            method: .get, url: "https://127.0.0.1:\(relay.port)/v1/payments/a", connectTimeout: .seconds(90),
            timeout: .seconds(300))
        #expect(try await client.send(request).get().status == 404)
        try await relay.program.wait(for: "their end") { flood.count { $0.isEnded } >= 60 }
    }

    @Test("S14: the memory for bodies is bounded, and the address with the most is refused")
    func theMemoryForBodiesIsBoundedPerAddress() async throws {
        let relay = try await RunningRelay(
            ["PAYRELAY_HTTP_BODY_BYTES_TOTAL_MAX": "1048576"].merging(Self.patience) { $1 })
        let long = String(repeating: " ", count: 200_000)
        let greedy = try (1...20).map { _ in
            let connection = try RawConnection(port: relay.port, from: "127.0.0.9")
            connection.send(
                "POST /v1/payments HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                    + "Content-Length: 250000\r\n\r\n\(long)")
            return connection
        }
        try await relay.program.wait(for: "all but five to be answered") { greedy.count { !$0.hasNothingToRead } >= 15 }
        // A body that another address sends in two halves is not refused.
        let order = String(decoding: try Orders.body().json.encoded(), as: UTF8.self)
        let modest = try RawConnection(port: relay.port)
        modest.send(
            "POST /v1/payments HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + "Content-Length: \(order.utf8.count)\r\n\r\n\(order.prefix(1_000))")
        #expect(try await relay.get("/v1/payments/a").status == 404)
        modest.send(String(order.dropFirst(1_000)))
        #expect(modest.read(until: "}").contains("captured"))
        let shed = try await relay.metric(#"payrelay_http_shed_total{kind="bytes"}"#)
        #expect((shed ?? 0) >= 15)
    }

    @Test(
        "A client that sends many requests on one connection and reads nothing fills no memory, and delays no other client"
    )
    func responsesThatAreNotReadAreNotMade() async throws {
        let relay = try await RunningRelay(Self.patience)
        func resident() async throws -> Int { try #require(try await relay.metric("process_resident_memory_bytes")) }
        let before = try await resident()
        let connections = try (1...4).map { _ in try RawConnection(port: relay.port, from: "127.0.0.9") }
        let requests = String(repeating: "GET /openapi.yaml HTTP/1.1\r\nHost: localhost\r\n\r\n", count: 1_000)
        for connection in connections { connection.send(requests) }
        for _ in 0..<10 { #expect(try await relay.pay(Orders.body().json).outcome == "captured") }
        // Each document has 110 KB, so all of them together would be 440 MB.
        #expect(try await resident() - before < 60_000_000)
        #expect(connections.allSatisfy { !$0.isEnded })
    }

    @Test("S14: the memory for answers that are not read is bounded, and the address with the most loses a connection")
    func theMemoryForUnreadAnswersIsBounded() async throws {
        let relay = try await RunningRelay(
            ["PAYRELAY_HTTP_BODY_BYTES_TOTAL_MAX": "1048576"].merging(Self.patience) { $1 })
        let requests = String(repeating: "GET /openapi.yaml HTTP/1.1\r\nHost: localhost\r\n\r\n", count: 1_000)
        let connections = try (1...60).map { _ in try RawConnection(port: relay.port, from: "127.0.0.9") }
        for connection in connections { connection.send(requests) }
        // Each connection holds a part of a document of 110 KB. There is space for about ten.
        try await relay.program.wait(for: "most of them to be closed") {
            try await relay.metric(#"payrelay_http_shed_total{kind="bytes"}"#) ?? 0 >= 30
        }
        #expect(try await relay.pay(Orders.body().json).outcome == "captured")
    }

    @Test func theBodyOfAnUnauthenticatedRequestIsNotRead() async throws {
        let key = try await GeneratedKey("shop")
        let relay = try await RunningRelay(["PAYRELAY_API_KEYS": key.line])
        for credential in ["", "Authorization: Bearer payrelay_guess\r\n"] {
            let connection = try RawConnection(port: relay.port)
            connection.send(
                "POST /v1/payments HTTP/1.1\r\n\(Self.half)\(credential)Expect: 100-continue\r\n\r\n")
            // The relay does not send 100 Continue first.
            #expect(connection.read(until: "}").hasPrefix("HTTP/1.1 401 "))
        }
    }
}
