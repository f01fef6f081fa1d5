import ApplePayToken
import OrderedJSON
import Testing
import TokenMint

/// A token whose fields are not those that were signed.
@Suite struct SignedFieldAttackTests {
    private let sandbox = Sandbox()

    @Test func applicationDataChangedOrAddedOrTakenAway() throws {
        let without = try sandbox.honestToken()
        let with = try sandbox.mint.mint(
            Sandbox.order, applicationData: Array(repeating: 7, count: 32), signedAt: Sandbox.signingTime)
        let other = JSON.string(String(repeating: "08", count: 32))
        for attack in [
            with.replacing("paymentData", "header", "applicationData", with: other),
            with.replacing("paymentData", "header", "applicationData", with: nil),
            without.replacing("paymentData", "header", "applicationData", with: other),
        ] {
            #expect(try sandbox.refusal(of: attack) == .messageDigest)
        }
    }

    @Test func signatureOfAnotherToken() throws {
        let other = try sandbox.honestToken()["paymentData"]?["signature"]
        let attack = try sandbox.honestToken().replacing("paymentData", "signature", with: other)
        #expect(try sandbox.refusal(of: attack) == .messageDigest)
    }
}
