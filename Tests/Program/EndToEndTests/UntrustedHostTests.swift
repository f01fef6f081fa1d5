import Foundation
import OutboundHTTP
import PayrelayPrimitives
import TestPrograms
import Testing

/// Servers in place of FORT's or Apple's host that must get no request. They have an old TLS version, or a certificate that is
/// expired, not yet valid, self-signed, or another host's.
@Suite(.enabled(if: OpenSSLServer.isInstalled), .timeLimit(.minutes(25)))
struct UntrustedHostTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    enum Fault: String, CaseIterable {
        case tls10, tls11, expired, notYetValid, selfSigned, otherHost
    }

    /// The reason in the log or the answer, in the words of libcurl or OpenSSL.
    private static let reasons: [Fault: String] = [
        .tls10: "protocol version", .tls11: "protocol version", .expired: "expired",
        .notYetValid: "not yet valid", .selfSigned: "self-signed", .otherHost: "127.0.0.1",
    ]

    private func server(_ fault: Fault?) async throws -> OpenSSLServer {
        let day = 86_400.0
        let certificate = try ServerCertificate(
            "host", in: folder, address: fault == .otherHost ? [192, 0, 2, 1] : [127, 0, 0, 1],
            validSince: Date() + (fault == .notYetValid ? day : -10 * day),
            until: Date() + (fault == .expired ? -day : 10 * day))
        let versions: [Fault: String] = [.tls10: "-tls1", .tls11: "-tls1_1"]
        let version = fault.flatMap { versions[$0] }.map { [$0, "-cipher", "ALL:@SECLEVEL=0"] } ?? []
        return try await OpenSSLServer(certificate, options: version, in: folder)
    }

    /// The root of Apple's host can be configured, so only the fault is wrong.
    @Test("S3: no Apple Pay session is requested over old TLS or with a bad certificate", arguments: Fault.allCases)
    func noSessionIsRequestedFromAnUntrustedHost(fault: Fault) async throws {
        let server = try await server(fault)
        let relay = try await relay(withSessionsAt: server, trusting: fault == .selfSigned ? nil : server.certificate)
        let answer = try await relay.post("/v1/apple-pay/sessions", [])
        #expect(answer.status == 503 && answer.problem == "apple-unreachable")
        let detail = answer.json?["detail"]?.stringValue ?? ""
        #expect(detail.contains(try #require(Self.reasons[fault])), "\(detail)")
        #expect(!server.received.contains("merchantIdentifier"))
    }

    /// A server without a fault gets the request. Otherwise the other tests would prove nothing.
    @Test func aSessionIsRequestedFromATrustedHost() async throws {
        let server = try await server(nil)
        let relay = try await relay(withSessionsAt: server, trusting: server.certificate)
        async let answer = relay.post("/v1/apple-pay/sessions", [])
        try await relay.program.wait(for: "the request") { server.received.contains("merchantIdentifier") }
        server.stop()
        #expect(try await answer.status == 503)
    }

    /// FORT's certificate is verified with the system's roots, which signed none of these certificates.
    @Test("S3: no payment is sent over old TLS or with a bad certificate", arguments: Fault.allCases)
    func noPaymentIsSentToAnUntrustedHost(fault: Fault) async throws {
        let server = try await server(fault)
        let relay = try await RunningRelay([
            "PAYRELAY_FORT_ENDPOINT": "https://127.0.0.1:\(server.port)/FortAPI/paymentApi"
        ])
        let reference = Orders.reference()
        let answer = try await relay.pay(Orders.body(reference).json)
        #expect(answer.status == 503 && answer.problem == "processor-unreachable", "\(answer.json ?? .null)")
        #expect(answer.header("Retry-After") != nil)
        let reason = [.tls10, .tls11].contains(fault) ? "protocol version" : "certificate"
        #expect(answer.json?["detail"]?.stringValue?.contains(reason) == true, "\(answer.json ?? .null)")
        // The account was never verified, so no order was claimed either.
        #expect(try await relay.get("/v1/payments/\(reference)").status == 404)
        #expect(!server.received.contains("apple_data"))
    }

    /// A host whose name begins or ends like Apple's is another host.
    @Test("S3: a validation URL with another host is refused")
    func aTamperedValidationURLIsRefused() async throws {
        let server = try await server(nil)
        let relay = try await relay(withSessionsAt: server, trusting: server.certificate)
        let host = "127.0.0.1:\(server.port)"
        for url in [
            "https://\(host).evil.example/paymentservices/startSession",
            "https://evil.example/\(host)/paymentservices/startSession",
            "https://evil.example#@\(host)/paymentservices/startSession",
            "https://user@\(host)/paymentservices/startSession", "http://\(host)/paymentservices/startSession",
            "https://\(host)@evil.example/paymentservices/startSession",
            "https://\(host)\\@evil.example/paymentservices/startSession",
            "https://127.0.0.1:\(server.port + 1)/paymentservices/startSession",
        ] {
            let body: JSON = ["validation_url": .string(url)]
            let answer = try await relay.post("/v1/apple-pay/sessions", body.encoded())
            #expect(answer.status == 400 && answer.faultyFields == ["validation_url"], "\(url)")
        }
        #expect(!server.received.contains("merchantIdentifier"))
    }

    private func relay(
        withSessionsAt server: OpenSSLServer, trusting root: ServerCertificate?
    ) async throws -> RunningRelay {
        let sandbox = try await RunningSandbox(sessionCertificates: folder.url.appending(path: "pki").path)
        return try await RunningRelay(
            sandbox: sandbox,
            [
                "PAYRELAY_APPLE_PAY_SESSION_HOST": "127.0.0.1:\(server.port)",
                "PAYRELAY_APPLE_PAY_SESSION_CA_FILE": root?.certificateFile ?? "",
            ])
    }
}
