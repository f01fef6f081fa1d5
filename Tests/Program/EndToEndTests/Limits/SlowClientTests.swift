import Foundation
import OutboundHTTP
import PayrelayPrimitives
import TestPrograms
import Testing

/// Slow clients: each is disconnected, and others are served meanwhile.
@Suite struct SlowClientTests {
    private static let settings = [
        "PAYRELAY_HTTP_HEAD_TIMEOUT_SECONDS": "1", "PAYRELAY_HTTP_BODY_TIMEOUT_SECONDS": "1",
        "PAYRELAY_HTTP_IDLE_TIMEOUT_SECONDS": "2",
    ]

    /// Sends the text byte by byte, ten a second, until the relay closes the connection or all of it is sent.
    private func drip(_ text: String, into connection: RawConnection) async throws {
        for character in text {
            if connection.isEnded { return }
            connection.send(String(character))
            try await Task.sleep(for: .milliseconds(100))
        }
    }

    @Test("S5: a client that sends its header byte by byte is dropped")
    func aSlowHeadIsDropped() async throws {
        let relay = try await RunningRelay(Self.settings)
        let connection = try RawConnection(port: relay.port)
        try await drip(
            "GET /v1/payments/a HTTP/1.1\r\nHost: localhost\r\nX: " + String(repeating: "x", count: 600),
            into: connection)
        #expect(connection.isEnded)
        #expect(try await relay.get("/v1/payments/none").status == 404)
    }

    @Test("S5: a connection that sends nothing is dropped")
    func aConnectionThatSaysNothingIsDropped() async throws {
        let relay = try await RunningRelay(Self.settings)
        let connection = try RawConnection(port: relay.port)
        try await relay.program.wait(for: "the end of the connection") { connection.isEnded }
    }

    @Test("S5: a connection that begins no TLS handshake is dropped")
    func aHandshakeThatNeverBeginsIsDropped() async throws {
        let folder = try TemporaryFolder()
        let certificate = try ServerCertificate("relay", in: folder)
        let relay = try await RunningRelay(
            Self.settings.merging([
                "PAYRELAY_HTTP_TLS_CERTIFICATE_FILE": certificate.certificateFile,
                "PAYRELAY_HTTP_TLS_KEY_FILE": certificate.keyFile,
            ]) { $1 })
        let connection = try RawConnection(port: relay.port)
        try await relay.program.wait(for: "the end of the connection") { connection.isEnded }
    }

    @Test("S5: a client that sends its body byte by byte is answered with 408 and dropped")
    func aSlowBodyIsAnsweredWith408AndDropped() async throws {
        let relay = try await RunningRelay(Self.settings)
        let connection = try RawConnection(port: relay.port)
        connection.send(
            "POST /v1/payments HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 600\r\n\r\n"
        )
        let order = try await relay.pay(Orders.body().json)
        #expect(order.outcome == "captured")
        for _ in 1...599 where connection.hasNothingToRead {
            connection.send(" ")
            try await Task.sleep(for: .milliseconds(100))
        }
        let answer = connection.read()
        #expect(answer.hasPrefix("HTTP/1.1 408 "))
        #expect(answer.contains("urn:payrelay:problem:request-too-slow"))
        #expect(connection.isEnded)
    }

    @Test("S5: a client that stops sending its body is answered with 408, however short the idle timeout is")
    func aStalledBodyIsAnsweredWith408() async throws {
        let relay = try await RunningRelay([
            "PAYRELAY_HTTP_BODY_TIMEOUT_SECONDS": "3", "PAYRELAY_HTTP_IDLE_TIMEOUT_SECONDS": "1",
        ])
        let connection = try RawConnection(port: relay.port)
        connection.send(
            "POST /v1/payments HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{"
        )
        #expect(connection.read().hasPrefix("HTTP/1.1 408 "))
    }

    @Test func anIdleConnectionIsClosedAfterTheIdleTimeout() async throws {
        let relay = try await RunningRelay(Self.settings)
        let connection = try RawConnection(port: relay.port)
        for _ in 1...2 {
            connection.send("GET /v1/payments/a HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(connection.read(until: "}").hasPrefix("HTTP/1.1 404 "))
        }
        try await relay.program.wait(for: "the end of the connection") { connection.isEnded }
    }

    @Test func noReadDeadlineRunsWhileAResponseIsPending() async throws {
        let relay = try await RunningRelay(Self.settings.merging(["PAYRELAY_FORT_TIMEOUT_SECONDS": "4"]) { $1 })
        let body = try Orders.body(amount: 10_408).json
        #expect(try await relay.pay(body).outcome == "uncertain")
    }
}
