import ApplePayToken
import Foundation
import Testing
import TokenMint

@Suite struct SignerCertificateExpiryTests {
    private static let day = 86_400.0

    private func verification(
        from begin: Double, days: Double, moment: Moment = .signingTime
    ) throws -> TokenVerification {
        var leaf = CertificateTemplate.leaf
        leaf.notBefore = Sandbox.signingTime.addingTimeInterval(begin * Self.day)
        leaf.notAfter = Sandbox.signingTime.addingTimeInterval(days * Self.day)
        var intermediate = CertificateTemplate.intermediate
        intermediate.notBefore = leaf.notBefore
        intermediate.notAfter = leaf.notAfter.addingTimeInterval(Self.day)
        let sandbox = Sandbox(pki: try .generate(intermediate: intermediate, leaf: leaf))
        return try sandbox.verify(sandbox.honestToken(), at: moment)
    }

    @Test func isUnknownBeforeTheFirstToken() {
        #expect(SignerCertificateExpiry().daysLeft(at: Sandbox.signingTime) == nil)
    }

    @Test func countsWholeDaysAndGoesBelowZero() throws {
        var seen = SignerCertificateExpiry()
        seen.record(try verification(from: -1, days: 10))
        #expect(seen.daysLeft(at: Sandbox.signingTime) == .init(leaf: 10, intermediate: 11))
        let nextSecond = Sandbox.signingTime.addingTimeInterval(1)
        #expect(seen.daysLeft(at: nextSecond) == .init(leaf: 9, intermediate: 10))
        let tooLate = Sandbox.signingTime.addingTimeInterval(10.5 * Self.day)
        #expect(seen.daysLeft(at: tooLate) == .init(leaf: -1, intermediate: 0))
    }

    @Test func theNewestCertificateCountsEvenIfItExpiresSooner() throws {
        let (old, new) = (try verification(from: -9, days: 90), try verification(from: -1, days: 10))
        for order in [[old, new], [new, old]] {
            var seen = SignerCertificateExpiry()
            for verification in order { seen.record(verification) }
            #expect(seen.daysLeft(at: Sandbox.signingTime)?.leaf == 10)
        }
    }

    @Test func anInvalidTokenIsIgnored() throws {
        var seen = SignerCertificateExpiry()
        seen.record(try verification(from: -1, days: 10, moment: .instant(.distantFuture)))
        #expect(seen.daysLeft(at: Sandbox.signingTime) == nil)
    }
}
