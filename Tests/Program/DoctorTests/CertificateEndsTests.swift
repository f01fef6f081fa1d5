import ProcessorModule
import Foundation
import PayrelayPrimitives
import Testing

@testable import Doctor

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
}
