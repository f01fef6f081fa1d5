import ApplePayToken
import PayrelayPrimitives
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

    /// What other verifiers take for the bytes of `applicationData`: nothing, base64 of the text, the text itself.
    @Test func applicationDataSignedAsSomethingElseThanHex() throws {
        let token = try sandbox.mint.unsigned(Sandbox.order, applicationData: Array(repeating: 7, count: 32))
        let text = HexText(encoding: Array(repeating: 7, count: 32)).text
        let content = Array(token.signedContent.dropLast(32))
        for mistaken in [[], try Base64Text(text).bytes, Array(text.utf8)] {
            let signature = try sandbox.mint.sign(content + mistaken, at: Sandbox.signingTime).ber()
            #expect(try sandbox.refusal(of: token.json(signature: signature)) == .messageDigest)
        }
    }

    /// gala checks no signature once `applicationData` is there.
    @Test func applicationDataSparesNoCheck() throws {
        let sandbox = Sandbox(pki: try .generate())
        let json = try sandbox.mint.mint(
            Sandbox.order, applicationData: Array(repeating: 7, count: 32), signedAt: Sandbox.signingTime)
        #expect(try Sandbox().refusal(of: json) == .chain)
    }

    /// The bytes count, so the case of the digits does not.
    @Test func transactionIdInUpperCaseIsTheSame() throws {
        let json = try sandbox.honestToken()
        let upper = json["paymentData"]?["header"]?["transactionId"]?.stringValue?.uppercased() ?? ""
        let other = json.replacing("paymentData", "header", "transactionId", with: .string(upper))
        #expect(try sandbox.verify(other).isValid)
        #expect(try PaymentToken(json: other).digest == PaymentToken(json: json).digest)
    }

    @Test func signatureOfAnotherToken() throws {
        let other = try sandbox.honestToken()["paymentData"]?["signature"]
        let attack = try sandbox.honestToken().replacing("paymentData", "signature", with: other)
        #expect(try sandbox.refusal(of: attack) == .messageDigest)
    }
}
