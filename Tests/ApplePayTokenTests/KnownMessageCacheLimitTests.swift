import Crypto
import Foundation
import PayrelayPrimitives
import Testing
import TokenMint
import X509

@testable import ApplePayToken

/// What bounds the cache of known messages, whatever a sender does.
@Suite struct KnownMessageCacheLimitTests {
    private let sandbox = Sandbox()

    /// What is not signed is the sender's to choose: one valid token must not fill the cache in many forms.
    @Test func anotherFormOfAValidMessageIsNotRemembered() throws {
        let verifier = try TokenVerifier(anchor: sandbox.pki.anchor())
        let token = try PaymentToken(json: sandbox.honestToken())
        let apples = try RawMessage(token.signature.bytes)
        var forms = RawMessage.Layer.allCases.filter { $0 != .attributes }.map { layer in
            var form = apples
            form.indefinite.formSymmetricDifference([layer])
            return form
        }
        let changes: [(inout RawMessage) throws -> Void] = [
            { $0.digestAlgorithms = RawMessage.element(0x31, AlgorithmIdentifier.sha256[1].der) },
            { $0.digestAlgorithm = AlgorithmIdentifier.sha256[1].der },
            { $0.certificates.append($0.certificates[1]) }, { $0.certificates.append(try sandbox.pki.root.der()) },
            { $0.signerIdentifier = RawMessage.indefinite($0.signerIdentifier, false) },
            { $0.certificates[0] = RawMessage.indefinite($0.certificates[0], false) },
        ]
        for change in changes {
            var form = apples
            try change(&form)
            forms.append(form)
        }
        for form in forms {
            #expect(verifier.verify(token.signed(by: form.ber()), at: .signingTime).isValid)
            #expect(verifier.messages.count == 0)
        }
        #expect(verifier.verify(token, at: .signingTime).isValid)
        #expect(verifier.messages.count == 1)
    }

    @Test func aFullCacheKeepsWhatItHasAndTakesNoMore() throws {
        let tokens = try (0..<KnownMessageCache.limit + 6).map { _ in
            let pki = sandbox.pki
            let leaf = try CertificateTemplate.leaf.issue(
                to: .init(pki.leafKey.publicKey), by: pki.intermediate.subject, with: .init(pki.intermediateKey))
            let json = try sandbox.token { message, _ in
                message.certificates[0] = try leaf.der()
                let attributes = message.signers[0].signedAttributes
                message.signers = [try SignerInfo(signing: attributes, with: pki.leafKey, of: leaf)]
            }
            return try PaymentToken(json: json)
        }
        let verifier = try TokenVerifier(anchor: sandbox.pki.anchor())
        for token in tokens + tokens { #expect(verifier.verify(token, at: .signingTime).isValid) }
        #expect(verifier.messages.count == KnownMessageCache.limit)
        let known = tokens.map { verifier.verifyByKnownMessage($0, at: .signingTime) != nil }
        #expect(known == tokens.indices.map { $0 < KnownMessageCache.limit })
    }
}
