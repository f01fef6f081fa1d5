import Foundation
import Testing

@testable import Doctor

@Suite struct CertificateEndsTests {
    @Test("A certificate that has ended, or ends within a month, fails")
    func ends() {
        let now = Date()
        func verdict(_ days: Double) -> Finding.Verdict? {
            CertificateEnds([("merchant identity", now + days * 86_400)]).findings(at: now).first?.verdict
        }
        #expect(verdict(760) == .pass)
        #expect(verdict(30.5) == .pass)
        #expect(verdict(29.5) == .fail)
        #expect(verdict(-0.5) == .fail)
        #expect(verdict(-400) == .fail)
    }
}
