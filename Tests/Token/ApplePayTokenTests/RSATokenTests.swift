import ApplePayToken
import PayrelayPrimitives
import Testing
import TokenMint

/// RSA_v1, the version of the tokens that Apple makes in some regions. They can be verified; the gateway decides whether it
/// accepts them.
@Suite struct RSATokenTests {
    private let sandbox = Sandbox()
    private let mint: RSATokenMint

    init() throws {
        mint = try RSATokenMint()
    }

    private func token(_ change: (inout SignedData, [UInt8]) throws -> Void) throws -> JSON {
        let token = try mint.unsigned(Sandbox.order)
        var message = try mint.sign(token.signedContent, at: Sandbox.signingTime)
        try change(&message, token.signedContent)
        return token.json(signature: try message.ber())
    }

    @Test func verifies() throws {
        let verification = try sandbox.verify(mint.mint(Sandbox.order, signedAt: Sandbox.signingTime))
        #expect(verification.isValid, "\(verification.checks)")
        #expect(verification[.algorithms]?.detail.contains("sha256WithRSAEncryption") == true)
    }

    @Test func aChangedWrappedKeyIsRefused() throws {
        var token = try mint.unsigned(Sandbox.order)
        let signature = try mint.sign(token.signedContent, at: Sandbox.signingTime).ber()
        token.key[0] ^= 1
        #expect(try sandbox.refusal(of: token.json(signature: signature)) == .messageDigest)
    }

    @Test func aForeignKeyIsRefused() throws {
        let foreign = try RSATokenMint()
        let attack = try token { message, _ in
            message.signers = [
                try SignerInfo(signing: message.signers[0].signedAttributes, with: foreign.leafKey, of: mint.leaf)
            ]
        }
        #expect(try sandbox.refusal(of: attack) == .signature)
    }

    @Test func theEllipticCurvesAlgorithmIsRefused() throws {
        let attack = try token { message, _ in message.signers[0].signatureAlgorithm = .ecdsaWithSHA256 }
        #expect(try sandbox.refusal(of: attack) == .algorithms)
    }

    /// The signer is of the other version's kind: its certificate is genuine, and its signature is valid.
    @Test func theOtherVersionsSignerIsRefused() throws {
        let rsaToken = try mint.unsigned(Sandbox.order)
        let byEllipticCurve = try sandbox.mint.sign(rsaToken.signedContent, at: Sandbox.signingTime).ber()
        let first = try sandbox.verify(rsaToken.json(signature: byEllipticCurve))
        #expect(first.firstFailure?.name == .algorithms)
        #expect(first[.signerKey]?.verdict == .failed)

        let token = try sandbox.mint.unsigned(Sandbox.order)
        let byRSA = try mint.sign(token.signedContent, at: Sandbox.signingTime).ber()
        let second = try sandbox.verify(token.json(signature: byRSA))
        #expect(second.firstFailure?.name == .algorithms)
        #expect(second[.signerKey]?.verdict == .failed)
    }

    /// The SignerInfo names RSA, and the certificate is an elliptic curve's.
    @Test func anAlgorithmThatTheKeyIsNotForIsRefused() throws {
        let attack = try token { message, content in
            let attributes = try [CMSAttribute].apple(
                over: content, at: Sandbox.signingTime, signature: .sha256WithRSA)
            message.signers = [
                try SignerInfo(signing: attributes, with: sandbox.pki.leafKey, of: sandbox.pki.leaf)
            ]
            message.signers[0].signatureAlgorithm = .sha256WithRSA
            message.certificates[0] = try sandbox.pki.leaf.der()
        }
        let verification = try sandbox.verify(attack)
        #expect(verification.firstFailure?.name == .signerKey)
        #expect(verification[.algorithms]?.verdict == .passed)
    }
}
