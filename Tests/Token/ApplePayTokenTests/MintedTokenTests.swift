import ApplePayToken
import Foundation
import PayrelayPrimitives
import Testing
import TokenMint

@Suite struct MintedTokenTests {
    @Test func passesEveryCheck() throws {
        let verification = try Sandbox().verify(Sandbox().honestToken())
        #expect(verification.isValid, "\(verification.checks)")
        #expect(verification.checks.map(\.name) == CheckName.allCases)
        #expect(verification.signingTime == Sandbox.signingTime)
        #expect(verification.firstFailure == nil)
    }

    @Test func writesTheVerdictAsJSON() throws {
        let json = try Sandbox().verify(Sandbox().honestToken()).json
        #expect(json["valid"] == true)
        #expect(json["refusal"] == nil)
        #expect(json["signing_time"] == "2027-01-15T08:00:00Z")
        #expect(
            json["checks"]?.arrayValue?.compactMap { $0["name"]?.stringValue } == CheckName.allCases.map(\.rawValue))
        let refused = try Sandbox().verify(Sandbox().honestToken(), at: .instant(.distantFuture)).json
        #expect(refused["valid"] == false)
        #expect(refused["refusal"] == "freshness")
    }

    @Test func passesWithApplicationData() throws {
        let json = try TokenMint().mint(
            Sandbox.order, applicationData: Array(repeating: 7, count: 32), signedAt: Sandbox.signingTime)
        #expect(try Sandbox().verify(json).isValid)
    }

    /// Until 2022, Apple wrote the absent parameters of SHA-256 as NULL. Since then it leaves them out.
    @Test func parametersMayBeNull() throws {
        let json = try Sandbox().token { message, _ in
            message.digestHasNull = true
            message.signers[0].digestHasNull = true
        }
        #expect(
            try PaymentToken(json: json).signature.text.hasPrefix(
                "MIAGCSqGSIb3DQEHAqCAMIACAQExDzANBglghkgBZQMEAgEFADCA"))
        #expect(try Sandbox().verify(json).isValid)
    }

    @Test func doesNotChainToApple() throws {
        let token = try PaymentToken(json: Sandbox().honestToken())
        let verification = TokenVerifier().verify(token, at: .signingTime)
        #expect(verification.firstFailure?.name == .chain)
        #expect(verification.checks.filter { $0.verdict == .failed }.count == 1)
        #expect(verification[.message]?.verdict == .skipped)
    }

    @Test(arguments: [(-301, false), (-300, true), (0, true), (300, true), (301, false)])
    func isFreshWithinTheWindowOnEitherSide(seconds: Int, isFresh: Bool) throws {
        let moment = Moment.instant(Sandbox.signingTime.addingTimeInterval(Double(seconds)))
        let verification = try Sandbox().verify(Sandbox().honestToken(), at: moment)
        #expect(verification.isValid == isFresh)
        #expect(verification.firstFailure?.name == (isFresh ? nil : .freshness))
    }

    @Test func listsTheCertificatesItSaw() throws {
        let certificates = try Sandbox().verify(Sandbox().honestToken()).certificates
        #expect(
            certificates.map(\.commonName) == [
                "ecc-smp-broker-sign_payrelay-SANDBOX", "payrelay sandbox Application Integration CA - G3",
            ])
        #expect(certificates.allSatisfy { $0.notBefore < $0.notAfter })
    }
}
