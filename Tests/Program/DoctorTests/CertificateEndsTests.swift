import Composition
import Foundation
import GatewayModule
import HTTPListener
import PayrelayPrimitives
import Settings
import TestPrograms
import Testing
import TokenMint

@testable import payrelay

@Suite struct CertificateEndsTests {
    private let now = Date()

    private func end(_ days: Double, _ kind: CertificateEnd.Kind = .merchantIdentity) -> CertificateEnd {
        CertificateEnd(
            kind: kind, subject: "UID=merchant", publicKeyHash: Base64Text(encoding: []), notAfter: now + days * 86_400)
    }

    private func verdicts(_ ends: CertificateEnd...) -> [Diagnostic.Verdict] {
        CertificateEnds(ends).diagnostics(at: now).map(\.verdict)
    }

    @Test("A certificate that has ended, or ends within a month, fails")
    func ends() {
        #expect(verdicts(end(760)) == [.pass])
        #expect(verdicts(end(30.5)) == [.pass])
        #expect(verdicts(end(29.5)) == [.fail])
        #expect(verdicts(end(-0.5)) == [.fail])
        #expect(verdicts(end(-400)) == [.fail])
    }

    @Test("While a certificate is renewed, the new one counts, and none of another kind")
    func renewal() {
        #expect(verdicts(end(3), end(760)) == [.pass])
        #expect(verdicts(end(760), end(-3)) == [.pass])
        #expect(verdicts(end(3), end(760, .paymentProcessing)) == [.fail, .pass])
    }

    @Test("The admin listener's certificate is checked if it is the only one")
    func adminListener() throws {
        let folder = try TemporaryFolder()
        let issued = try DevelopmentAuthority(for: "localhost", at: now).issue(for: "localhost", at: now)
        let configuration = try RelayConfiguration(
            ConfigurationSources(environment: [
                "PAYRELAY_FORT_ACCESS_CODE": "ACCESS", "PAYRELAY_FORT_MERCHANT_IDENTIFIER": "MERCHANT",
                "PAYRELAY_FORT_REQUEST_PHRASE": "REQ", "PAYRELAY_FORT_RESPONSE_PHRASE": "RES",
                "PAYRELAY_ADMIN_TLS_CERTIFICATE_FILE": try folder.file("admin.pem", issued.certificatePEM),
                "PAYRELAY_ADMIN_TLS_KEY_FILE": try folder.file("admin.key", issued.keyPEM),
            ]))
        func found(inDays days: Double) -> [String: Diagnostic.Verdict] {
            let diagnostics = CertificateEnds(of: configuration).diagnostics(at: now + days * 86_400)
            return Dictionary(diagnostics.map { ($0.check, $0.verdict) }) { $1 }
        }
        #expect(found(inDays: 0) == ["certificate:admin-listener": .pass])
        #expect(found(inDays: 390) == ["certificate:admin-listener": .fail])
    }
}
