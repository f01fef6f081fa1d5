import Crypto
import Foundation
import PayrelayPrimitives
import SwiftASN1
import Testing
import X509

@testable import TokenMint

/// The authority that phones trust for `payrelay-dev --host` can certify only private networks and one host.
@Suite struct DevelopmentAuthorityTests {
    private let now = Date()

    /// Whether a client that trusts the authority accepts the certificate for the host.
    private func isTrusted(_ leafPEM: String, for host: String, by authority: DevelopmentAuthority) async throws -> Bool
    {
        let root = try Certificate(pemEncoded: authority.pem)
        let address = IPAddress(host).map { $0.text }
        var verifier = Verifier(rootCertificates: CertificateStore([root])) {
            RFC5280Policy()
            ServerIdentityPolicy(serverHostname: address == nil ? host : nil, serverIP: address)
        }
        let result = await verifier.validate(
            leaf: try Certificate(pemEncoded: leafPEM), intermediates: CertificateStore([]))
        if case .validCertificate = result { return true }
        return false
    }

    @Test(
        "a certificate of the authority is valid for its host and for no other",
        arguments: [
            "192.0.2.7", "10.1.2.3", "192.168.1.20", "fd00::1", "::1", "sara-mac.local", "dev.example.com", "localhost",
        ]
    )
    func aHostIsCertified(host: String) async throws {
        let authority = try DevelopmentAuthority(for: host, at: now)
        let issued = try authority.issue(for: host, at: now)
        #expect(try await isTrusted(issued.certificatePEM, for: host, by: authority))
        #expect(try await !isTrusted(issued.certificatePEM, for: "10.9.9.9", by: authority))
        #expect(try await !isTrusted(issued.certificatePEM, for: "other.local", by: authority))
        #expect(
            try await !isTrusted(
                issued.certificatePEM, for: host, by: try DevelopmentAuthority(for: host, at: now)))
    }

    @Test("a certificate has what iOS requires: serverAuth, a name, less than 398 days")
    func iOSTakesTheCertificate() throws {
        let authority = try DevelopmentAuthority(for: "192.0.2.7", at: now)
        let leaf = try Certificate(pemEncoded: authority.issue(for: "192.0.2.7", at: now).certificatePEM)
        #expect(leaf.notValidAfter.timeIntervalSince(leaf.notValidBefore) < 398 * 86_400)
        #expect(leaf.notValidBefore < now)
        #expect(try leaf.extensions.extendedKeyUsage == ExtendedKeyUsage([.serverAuth]))
        #expect(try leaf.extensions.basicConstraints == .notCertificateAuthority)
        #expect(try leaf.extensions.subjectAlternativeNames?.count == 1)
        let root = try Certificate(pemEncoded: authority.pem)
        #expect(root.extensions[oid: .X509ExtensionID.basicConstraints]?.critical == true)
        #expect(root.extensions[oid: .X509ExtensionID.nameConstraints]?.critical == true)
    }

    @Test(
        "the authority refuses other hosts, and a certificate that its key signs for them is not valid",
        arguments: ["apple.com", "example.com", "8.8.8.8", "192.0.2.8", "2001:db8::1", "mac.locals"])
    func otherHostsAreNotCertified(host: String) async throws {
        let authority = try DevelopmentAuthority(for: "192.0.2.7", at: now)
        #expect(throws: DevelopmentAuthorityError.notPermitted) { try authority.issue(for: host, at: now) }

        var template = CertificateTemplate(commonName: "stolen key", organizationalUnit: "test")
        template.subjectAlternativeNames = SubjectAlternativeNames([
            IPAddress(host).map { .ipAddress(ASN1OctetString(contentBytes: $0.bytes[...])) } ?? .dnsName(host)
        ])
        let key = try P256.Signing.PrivateKey(pemRepresentation: authority.keyPEM)
        let forged = try template.issue(
            to: .init(P256.Signing.PrivateKey().publicKey), by: Certificate(pemEncoded: authority.pem).subject,
            with: .init(key))
        #expect(try await !isTrusted(forged.serializeAsPEM().pemString, for: host, by: authority))
    }

    @Test("an authority is read back as it was written, and nothing else is taken for one")
    func isReadBack() throws {
        let authority = try DevelopmentAuthority(for: "192.0.2.7", at: now)
        let other = try DevelopmentAuthority(for: "192.0.2.7", at: now)
        let (pem, keyPEM) = (try authority.pem, authority.keyPEM)
        let read = try DevelopmentAuthority(pem: pem, keyPEM: keyPEM, at: now)
        #expect(try read.fingerprint == authority.fingerprint)
        #expect(try authority.fingerprint != other.fingerprint && authority.commonName != other.commonName)
        let leaf = try authority.issue(for: "192.0.2.7", at: now)
        let cases: [(String, String, Date, DevelopmentAuthorityError)] = [
            ("", keyPEM, now, .noCertificate), (pem, "", now, .noKey), (pem, other.keyPEM, now, .otherKey),
            (leaf.certificatePEM, leaf.keyPEM, now, .noAuthority), (pem, keyPEM, now + 3_651 * 86_400, .expired),
        ]
        for (pem, keyPEM, moment, error) in cases {
            #expect(throws: error) { try DevelopmentAuthority(pem: pem, keyPEM: keyPEM, at: moment) }
        }
    }
}
