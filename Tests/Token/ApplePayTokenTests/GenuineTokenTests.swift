import ApplePayToken
import Foundation
import PayrelayPrimitives
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
        #expect(
            verification.checks.filter { $0.verdict != .passed && $0.verdict != .notAsked }.map(\.name) == [.freshness])
    }

    @Test(arguments: zip(Fixtures.genuine, ["2014-10-27T19:51:43Z", "2017-02-01T18:45:06Z", "2017-02-01T21:56:53Z"]))
    func readsTheSigningTime(name: String, time: String) throws {
        let verification = TokenVerifier().verify(try Fixtures.token(name), at: .signingTime)
        #expect(verification.signingTime == (try Date(time, strategy: .iso8601)))
        #expect(verification.certificates.count == 2)
    }

    /// Apple's older messages have parts that minted ones lack, such as parameters to their algorithms, so some of their bytes
    /// are flipped, too: the 19 and 35 bytes that OpenSSL ignores, and a sample of the others.
    @Test(arguments: Fixtures.genuine)
    func refusesAFlippedByte(name: String) throws {
        let json = try Fixtures.json(name)
        let signature = try PaymentToken(json: json).signature.bytes
        for place in [19, 35] + stride(from: 7, to: signature.count, by: 16) {
            var damaged = signature
            damaged[place] ^= 1 << UInt8(place / 16 % 8)
            let text = JSON.string(Base64Text(encoding: damaged).text)
            let token = try PaymentToken(json: json.replacing("paymentData", "signature", with: text))
            #expect(!TokenVerifier().verify(token, at: .signingTime).isValid, "byte \(place)")
        }
    }

    @Test func refusesALookAlikeRoot() throws {
        let verification = TokenVerifier().verify(try Fixtures.token("bad-pedicel-fake-root"), at: .signingTime)
        #expect(!verification.isValid)
        #expect(verification.firstFailure?.name == .chain, "\(verification.checks)")
    }
}
