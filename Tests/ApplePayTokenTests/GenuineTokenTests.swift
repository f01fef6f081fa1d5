import ApplePayToken
import Foundation
import Testing

@Suite(.enabled(if: Fixtures.arePresent)) struct GenuineTokenTests {
    @Test(arguments: Fixtures.genuine)
    func verifiesAtItsSigningTime(name: String) throws {
        let verification = TokenVerifier().verify(try Fixtures.token(name), at: .signingTime)
        #expect(verification.isValid, "\(verification.checks)")
        #expect(verification.checks.map(\.name) == CheckName.allCases)
    }

    @Test(arguments: Fixtures.genuine)
    func isStaleNowAndNothingElse(name: String) throws {
        let verification = TokenVerifier().verify(try Fixtures.token(name), at: .instant(Date()))
        #expect(verification.checks.filter { $0.verdict != .passed }.map(\.name) == [.freshness])
    }

    @Test(arguments: zip(Fixtures.genuine, ["2014-10-27T19:51:43Z", "2017-02-01T18:45:06Z", "2017-02-01T21:56:53Z"]))
    func tellsWhenItWasSigned(name: String, time: String) throws {
        let verification = TokenVerifier().verify(try Fixtures.token(name), at: .signingTime)
        #expect(verification.signingTime == (try Date(time, strategy: .iso8601)))
        #expect(verification.certificates.count == 2)
    }

    @Test func refusesALookAlikeRoot() throws {
        let verification = TokenVerifier().verify(try Fixtures.token("bad-pedicel-fake-root"), at: .signingTime)
        #expect(!verification.isValid)
        #expect(verification.refusal?.name == .chain, "\(verification.checks)")
    }
}
