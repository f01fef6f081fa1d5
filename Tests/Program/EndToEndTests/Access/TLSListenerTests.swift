import Foundation
import OutboundHTTP
import PayrelayPrimitives
import TestPrograms
import Testing

/// TLS on the public listener.
@Suite struct TLSListenerTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func client(trusting certificate: ServerCertificate) -> OutboundClient {
        OutboundClient(OutboundSettings(caFile: certificate.certificateFile, offersHTTP2: true))
    }

    private func relay(_ certificate: ServerCertificate, _ settings: [String: String] = [:]) async throws
        -> RunningRelay
    {
        try await RunningRelay(
            [
                "PAYRELAY_HTTP_TLS_CERTIFICATE_FILE": certificate.certificateFile,
                "PAYRELAY_HTTP_TLS_KEY_FILE": certificate.keyFile,
            ].merging(settings) { $1 })
    }

    private func request(_ relay: RunningRelay) -> OutboundRequest {
        OutboundRequest(
            method: .get, url: "https://127.0.0.1:\(relay.port)/v1/payments/A", connectTimeout: .seconds(90),
            timeout: .seconds(300))
    }

    @Test(
        "a client that offers HTTP/2 and HTTP/1.1 pays over HTTP/1.1; one that offers HTTP/2 only agrees on no protocol"
    )
    func onlyHTTP1IsNegotiated() async throws {
        let certificate = try ServerCertificate("first", in: folder)
        let relay = try await relay(certificate)
        let client = client(trusting: certificate)
        defer { client.shutdown() }
        let order = try Orders.body().with(["customer_ip": nil])
        let answer = try await client.send(
            OutboundRequest(
                url: "https://127.0.0.1:\(relay.port)/v1/payments", headers: [("Content-Type", "application/json")],
                body: order.encoded(), connectTimeout: .seconds(90), timeout: .seconds(300))
        ).get()
        #expect(answer.outcome == "captured")
        // Over HTTP/2 all header names are in lower case (RFC 9113, 8.2).
        #expect(answer.headers.contains { $0.name == "Content-Type" })
        #expect(answer.json?["processor_response"]?["customer_ip"] == "127.0.0.1")
        for (offer, chosen) in [("h2,http/1.1", "ALPN protocol: http/1.1"), ("h2", "No ALPN negotiated")] {
            let command = "openssl s_client -alpn \(offer) -connect 127.0.0.1:\(relay.port) </dev/null"
            let handshake = try await onThread { try FinishedProgram(["/bin/sh", "-c", command], withErrors: true) }
            #expect(handshake.text.contains(chosen), "\(offer): \(handshake.text)")
        }
    }

    /// RFC 9325, 4.2: forward secrecy and authenticated encryption.
    @Test func overTLS12OnlyAEADWithForwardSecrecyIsNegotiated() async throws {
        let relay = try await relay(try ServerCertificate("first", in: folder))
        for (ciphers, isNegotiated) in [
            ("ECDHE-ECDSA-AES128-GCM-SHA256", true), ("ECDHE-ECDSA-AES256-GCM-SHA384", true),
            ("ECDHE-ECDSA-CHACHA20-POLY1305", true), ("ECDHE-ECDSA-AES128-SHA", false),
            ("ECDHE-ECDSA-AES256-SHA", false), ("ECDHE-ECDSA-AES128-SHA256", false),
            ("ECDHE-ECDSA-AES256-SHA384", false), ("AES128-GCM-SHA256", false),
            ("ALL:@SECLEVEL=0:!AESGCM:!CHACHA20", false),
        ] {
            let command = "openssl s_client -tls1_2 -cipher '\(ciphers)' -connect 127.0.0.1:\(relay.port) </dev/null"
            let handshake = try await onThread { try FinishedProgram(["/bin/sh", "-c", command], withErrors: true) }
            #expect(handshake.succeeded == isNegotiated, "\(ciphers): \(handshake.text)")
            if isNegotiated { #expect(handshake.text.contains("Cipher is \(ciphers)")) }
        }
    }

    @Test func plainHTTPIsNotAnswered() async throws {
        let relay = try await relay(try ServerCertificate("first", in: folder))
        let connection = try RawConnection(port: relay.port)
        connection.send("GET /v1/payments/A HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(!connection.read().contains("HTTP/1.1"))
    }

    @Test func onSIGHUPTheNextConnectionSeesTheNewCertificateAndOpenOnesStay() async throws {
        let day = 86_400.0
        // The days are halves, because a certificate's end is rounded to a second.
        let first = try ServerCertificate("first", in: folder, until: Date() + 2.5 * day)
        let second = try ServerCertificate("second", in: folder, until: Date() + 89.5 * day)
        let relay = try await relay(first)
        func daysLeft() async throws -> Int? {
            try await relay.metric(#"payrelay_own_certificate_days_left{certificate="listener"}"#)
        }
        #expect(try await daysLeft() == 2)
        let early = client(trusting: first)
        defer { early.shutdown() }
        #expect(try await early.send(request(relay)).get().status == 404)

        try replace(first.certificateFile, with: second.certificateFile)
        relay.program.signal(SIGHUP)
        try await relay.program.wait(toPrint: "TLS certificate not reloaded; the previous version stays in use")
        #expect(try await early.send(request(relay)).get().status == 404)

        try replace(first.keyFile, with: second.keyFile)
        relay.program.signal(SIGHUP)
        try await relay.program.wait(toPrint: "TLS certificate reloaded")
        #expect(try await daysLeft() == 89)
        let kept = try await early.send(request(relay)).get()
        #expect(kept.status == 404 && kept.reusedConnection)
        let late = client(trusting: second)
        defer { late.shutdown() }
        #expect(try await late.send(request(relay)).get().status == 404)
        relay.program.signal(SIGTERM)
        #expect(try await relay.program.end() == 0)
    }

    @Test func aKeyOfAnotherCertificateStopsTheStart() async throws {
        let (first, second) = (try ServerCertificate("first", in: folder), try ServerCertificate("second", in: folder))
        let sandbox = try await RunningSandbox()
        for (certificate, key) in [
            (first.certificateFile, second.keyFile), (first.keyFile, first.keyFile),
            (first.certificateFile, "/no/such"),
            (first.certificateFile, ""),
        ] {
            let (status, output) = try await RunningProgram.run(
                ["serve"],
                environment: sandbox.settings.merging([
                    "PAYRELAY_HTTP_TLS_CERTIFICATE_FILE": certificate, "PAYRELAY_HTTP_TLS_KEY_FILE": key,
                    "PAYRELAY_JOURNAL": "memory:",
                ]) { $1 })
            #expect(status == 78 && output.contains("PAYRELAY_HTTP_TLS_KEY_FILE"), "\(output)")
        }
    }

    /// Replaces a file in one step, as certbot and kubelet do.
    private func replace(_ file: String, with other: String) throws {
        let new = file + ".new"
        try FileManager.default.copyItem(atPath: other, toPath: new)
        guard rename(new, file) == 0 else { throw POSIXError(.EIO) }
    }
}
