import ApplePayToken
import PayrelayPrimitives
import Testing
import TokenMint

@Suite struct TokenInspectionTests {
    @Test func showsWhatIsInTheSignature() throws {
        let inspection = TokenInspection(of: try PaymentToken(json: Sandbox().honestToken()))
        #expect(inspection.failure == nil)
        #expect(inspection.certificates.map(\.marker) == ["leaf", "intermediate"])
        #expect(inspection.certificates.map(\.keyKind) == ["elliptic curve", "elliptic curve"])
        #expect(inspection.signers.count == 1)
        #expect(inspection.signers.first?.digestAlgorithm == "SHA-256")
        #expect(inspection.signers.first?.signatureAlgorithm == "ecdsa-with-SHA256")
        #expect(inspection.signers.first?.signingTime == Sandbox.signingTime)
        #expect(inspection.signers.first?.serialNumber == inspection.certificates.first?.serialNumber)
    }

    @Test func showsAnotherAlgorithmAsItStands() throws {
        let json = try Sandbox().token { message, _ in message.signers[0].digestAlgorithm = .sha1 }
        let inspection = TokenInspection(of: try PaymentToken(json: json))
        #expect(inspection.signers.first?.digestAlgorithm == "300706052b0e03021a")
    }

    @Test func saysWhyASignatureCannotBeRead() throws {
        let json = try Sandbox().honestToken().replacing("paymentData", "signature", with: "AAAA")
        let inspection = TokenInspection(of: try PaymentToken(json: json))
        #expect(inspection.failure?.isEmpty == false)
        #expect(inspection.certificates.isEmpty && inspection.signers.isEmpty)
    }

    @Test func readsTheSigningTimeAlone() throws {
        let apples = try PaymentToken(json: Sandbox().honestToken())
        #expect(TokenInspection.signingTime(of: apples) == Sandbox.signingTime)
        // This message has another layout, which the inspection must report.
        let other = try PaymentToken(json: Sandbox().token { message, _ in message.signers[0].digestAlgorithm = .sha1 })
        #expect(TokenInspection.signingTime(of: other) == Sandbox.signingTime)
        let broken = try Sandbox().honestToken().replacing("paymentData", "signature", with: "AAAA")
        #expect(TokenInspection.signingTime(of: try PaymentToken(json: broken)) == nil)
    }

    @Test(.enabled(if: Fixtures.arePresent), arguments: Fixtures.genuine)
    func readsTheSigningTimeOfGenuineTokens(name: String) throws {
        let token = try Fixtures.token(name)
        let time = try #require(TokenInspection.signingTime(of: token))
        #expect(time == TokenInspection(of: token).signers.first?.signingTime)
    }
}
