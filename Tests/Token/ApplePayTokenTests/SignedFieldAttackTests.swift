import ApplePayToken
import PayrelayPrimitives
import Testing
import TokenMint

/// A token whose fields are not the fields that were signed.
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

    /// The signed bytes are those that other verifiers use for `applicationData`: nothing, base64 of the text, or the text
    /// itself.
    @Test func applicationDataSignedAsSomethingElseThanHex() throws {
        let token = try sandbox.mint.unsigned(Sandbox.order, applicationData: Array(repeating: 7, count: 32))
        let text = HexText(encoding: Array(repeating: 7, count: 32)).text
        let content = Array(token.signedContent.dropLast(32))
        for mistaken in [[], try Base64Text(text).bytes, Array(text.utf8)] {
            let signature = try sandbox.mint.sign(content + mistaken, at: Sandbox.signingTime).ber()
            #expect(try sandbox.refusal(of: token.json(signature: signature)) == .messageDigest)
        }
    }

    /// The library gala checks no signature if `applicationData` is present.
    @Test func applicationDataSparesNoCheck() throws {
        let sandbox = Sandbox(pki: try .generate())
        let json = try sandbox.mint.mint(
            Sandbox.order, applicationData: Array(repeating: 7, count: 32), signedAt: Sandbox.signingTime)
        #expect(try Sandbox().refusal(of: json) == .chain)
    }

    /// Only the bytes count, so the case of the digits does not matter.
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
