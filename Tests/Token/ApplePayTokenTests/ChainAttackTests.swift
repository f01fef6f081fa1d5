import ApplePayToken
import Foundation
import PayrelayPrimitives
import Testing
import TokenMint
import X509

/// Certificates that do not make Apple's chain.
@Suite struct ChainAttackTests {
    private let sandbox = Sandbox()

    @Test func lookAlikeRootOfTheSameName() throws {
        let lookAlike = Sandbox(pki: try .generate())
        #expect(lookAlike.pki.root.subject == sandbox.pki.root.subject)
        let verification = try sandbox.verify(lookAlike.honestToken())
        #expect(verification.firstFailure?.name == .chain)
        let withRoot = try lookAlike.token { message, _ in
            message.certificates.append(try lookAlike.pki.root.der())
        }
        #expect(try sandbox.refusal(of: withRoot) == .chain)
    }

    @Test func aRefusalIsExplainedInTheSameWordsAgain() throws {
        let lookAlike = Sandbox(pki: try .generate())
        let token = try PaymentToken(json: lookAlike.honestToken())
        let verifier = try TokenVerifier(anchor: sandbox.pki.anchor())
        let first = verifier.verify(token, at: .signingTime)
        #expect(verifier.verify(token, at: .signingTime) == first)
        #expect(try TokenVerifier(anchor: sandbox.pki.anchor()).verify(token, at: .signingTime) == first)
        #expect(
            first.firstFailure?.detail.hasSuffix("certificate signature failure, at its issuer (OpenSSL: EVP lib)")
                == true)
    }

    @Test func certificatesOutsideTheirDates() throws {
        var leaf = CertificateTemplate.leaf
        leaf.notAfter = Sandbox.signingTime.addingTimeInterval(-1)
        let expired = Sandbox(pki: try .generate(leaf: leaf))
        #expect(try expired.refusal(of: expired.honestToken()) == .chain)
        var intermediate = CertificateTemplate.intermediate
        intermediate.notBefore = Sandbox.signingTime.addingTimeInterval(1)
        let early = Sandbox(pki: try .generate(intermediate: intermediate))
        #expect(try early.refusal(of: early.honestToken()) == .chain)
    }
}
