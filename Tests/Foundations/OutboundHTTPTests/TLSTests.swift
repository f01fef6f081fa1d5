import Foundation
import OutboundHTTP
import PayrelayPrimitives
import TestPrograms
import Testing

/// Requests to `openssl s_server`, which answers a GET with a page about the connection.
@Suite(.timeLimit(.minutes(25)), .enabled(if: isInstalled("openssl"))) struct TLSTests {
    let certificate: Certificate

    init() throws {
        certificate = try Certificate()
    }

    private func server(_ certificate: Certificate, _ options: String...) throws -> (
        program: RunningProgram, url: String
    ) {
        let program = try RunningProgram(
            ["openssl", "s_server", "-accept", "127.0.0.1:0", "-www"]
                + ["-cert", certificate.certificateFile, "-key", certificate.keyFile] + options,
            announcing: "ACCEPT ")
        return (program, "https://\(program.announced)/")
    }

    private func client(
        trusting certificate: Certificate?, identity: OutboundSettings.Identity? = nil
    ) -> OutboundClient {
        OutboundClient(OutboundSettings(caFile: certificate?.certificateFile, identity: identity))
    }

    @Test(arguments: ["-tls1_2", "-tls1_3"])
    func connectsIfTheCertificateIsTrusted(version: String) async throws {
        let server = try server(certificate, version)
        let answer = try await client(trusting: certificate).send(
            OutboundRequest(method: .get, url: server.url)
        ).get()
        #expect(answer.status == 200)
    }

    @Test("S3: refuses a self-signed certificate")
    func refusesASelfSignedCertificate() async throws {
        let server = try server(certificate)
        let failure = await client(trusting: nil).failure(of: OutboundRequest(url: server.url, body: [1]))
        #expect(failure.isNotSent)
        #expect(failure.reason.contains("self-signed certificate"))
    }

    @Test func refusesACertificateOfAnotherRoot() async throws {
        let server = try server(certificate)
        let failure = await client(trusting: try Certificate()).failure(of: OutboundRequest(url: server.url, body: [1]))
        #expect(failure.isNotSent)
        #expect(failure.reason.contains("certificate"))
    }

    @Test("S3: refuses a certificate for another host")
    func refusesACertificateForAnotherHost() async throws {
        let other = try Certificate(subjectAltName: "DNS:example.com")
        let server = try server(other)
        let failure = await client(trusting: other).failure(of: OutboundRequest(url: server.url, body: [1]))
        #expect(failure.isNotSent)
        #expect(failure.reason.contains("127.0.0.1"))
    }

    @Test func aHealthProbeTakesAnyCertificate() async throws {
        let server = try server(Certificate(subjectAltName: "DNS:example.com"))
        let client = OutboundClient(OutboundSettings(isHealthProbe: true))
        #expect(try await client.send(OutboundRequest(method: .get, url: server.url)).get().status == 200)
    }

    @Test("S3: refuses TLS before 1.2")
    func refusesTLSBefore12() async throws {
        let server = try server(certificate, "-tls1_1", "-cipher", "ALL:@SECLEVEL=0")
        let failure = await client(trusting: certificate).failure(of: OutboundRequest(url: server.url, body: [1]))
        #expect(failure.isNotSent)
        #expect(failure.reason.contains("protocol version"))
    }

    /// Starts a server that demands a client certificate that this root has issued.
    private func server(demanding root: Certificate, _ version: String) throws -> (
        program: RunningProgram, url: String
    ) {
        try server(certificate, version, "-Verify", "1", "-verify_return_error", "-CAfile", root.certificateFile)
    }

    private func identity(_ certificateFile: String, key keyFile: String) throws -> OutboundSettings.Identity {
        OutboundSettings.Identity(
            certificate: try String(contentsOfFile: certificateFile, encoding: .utf8),
            key: Secret(try String(contentsOfFile: keyFile, encoding: .utf8)))
    }

    @Test(arguments: ["-tls1_2", "-tls1_3"])
    func showsItsOwnCertificateIfTheServerRequestsOne(version: String) async throws {
        let own = try Certificate()
        let server = try server(demanding: own, version)
        let identity = try identity(own.certificateFile, key: own.keyFile)
        let client = client(trusting: certificate, identity: identity)
        #expect(try await client.send(OutboundRequest(method: .get, url: server.url)).get().status == 200)
    }

    /// In TLS 1.3 the client has finished before the server looks at its certificate: the request may have gone out.
    @Test(arguments: [("-tls1_2", true), ("-tls1_3", false)])
    func withoutTheRequestedCertificateThereIsNoAnswer(version: String, isNotSent: Bool) async throws {
        let server = try server(demanding: try Certificate(), version)
        let failure = await client(trusting: certificate).failure(of: OutboundRequest(method: .get, url: server.url))
        #expect(failure.isNotSent == isNotSent)
        #expect(failure.reason.contains("alert"), "\(failure)")
    }

    @Test(arguments: ["-tls1_2", "-tls1_3"])
    func withACertificateOfAnotherRootThereIsNoAnswer(version: String) async throws {
        let server = try server(demanding: try Certificate(), version)
        let foreign = try Certificate()
        let identity = try identity(foreign.certificateFile, key: foreign.keyFile)
        let failure = await client(trusting: certificate, identity: identity)
            .failure(of: OutboundRequest(method: .get, url: server.url))
        #expect(failure.reason.contains("alert"), "\(failure)")
    }

    @Test func aKeyThatIsNotItsCertificatesIsNamed() async throws {
        let (own, other) = try (Certificate(), Certificate())
        let server = try server(certificate)
        let identity = try identity(own.certificateFile, key: other.keyFile)
        let failure = await client(trusting: certificate, identity: identity)
            .failure(of: OutboundRequest(url: server.url, body: [1]))
        #expect(failure.isNotSent)
        #expect(failure.reason.contains("private key"), "\(failure)")
    }

    /// Reading the system's roots takes tens of milliseconds, in which nothing else is sent. libcurl keeps the roots since
    /// 7.87.
    @Test func readsItsRootsOnceForAllConnections() async throws {
        let roots = FileManager.default.temporaryDirectory.appending(path: "roots-\(UUID()).pem")
        try FileManager.default.copyItem(atPath: certificate.certificateFile, toPath: roots.path)
        defer { try? FileManager.default.removeItem(at: roots) }
        let server = try server(certificate)
        let client = OutboundClient(OutboundSettings(caFile: roots.path))
        let request = OutboundRequest(method: .get, url: server.url)
        #expect(try await client.send(request).get().status == 200)
        try Data("none".utf8).write(to: roots)
        let second = try await client.send(request).get()
        #expect(second.status == 200 && !second.reusedConnection)
    }

    @Test func saysWhichFileCannotBeRead() async throws {
        let client = OutboundClient(OutboundSettings(caFile: "/nowhere/roots.pem"))
        let server = try server(certificate)
        let failure = await client.failure(of: OutboundRequest(url: server.url, body: [1]))
        #expect(failure.isNotSent)
        #expect(failure.reason.contains("/nowhere/roots.pem"))
    }
}
