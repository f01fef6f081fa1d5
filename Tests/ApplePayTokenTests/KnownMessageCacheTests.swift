import Crypto
import Foundation
import PayrelayPrimitives
import Testing
import TokenMint

@testable import ApplePayToken

/// Which messages are remembered, and what that is good for.
@Suite struct KnownMessageCacheTests {
    private let sandbox = Sandbox()

    private func token(signedAt moment: Date = Sandbox.signingTime) throws -> PaymentToken {
        try PaymentToken(json: sandbox.mint.mint(Sandbox.order, signedAt: moment))
    }

    private func verifier(freshness: Duration = .seconds(300)) throws -> TokenVerifier {
        try TokenVerifier(anchor: sandbox.pki.anchor(), freshness: freshness)
    }

    @Test func aSecondTokenLikeTheFirstNeedsNoOpenSSLMessage() throws {
        let verifier = try verifier()
        let second = try token()
        #expect(verifier.verifyByKnownMessage(second, at: .signingTime) == nil)
        #expect(try verifier.verify(token(), at: .signingTime).isValid)
        let quick = try #require(verifier.verifyByKnownMessage(second, at: .signingTime))
        #expect(quick == (try self.verifier().verify(second, at: .signingTime)))
        #expect(quick.checks.map(\.name) == CheckName.allCases)
    }

    @Test(.enabled(if: Fixtures.arePresent), arguments: Fixtures.genuine)
    func aGenuineTokenGetsTheSameVerdictsAgain(name: String) throws {
        let verifier = TokenVerifier()
        let first = try verifier.verify(Fixtures.token(name), at: .signingTime)
        #expect(first.isValid)
        #expect(try verifier.verifyByKnownMessage(Fixtures.token(name), at: .signingTime) == first)
    }

    @Test func anRSATokenGetsTheSameVerdictsAgain() throws {
        let verifier = try verifier()
        let token = try PaymentToken(json: RSATokenMint().mint(Sandbox.order, signedAt: Sandbox.signingTime))
        let first = verifier.verify(token, at: .signingTime)
        #expect(first.isValid)
        #expect(verifier.verifyByKnownMessage(token, at: .signingTime) == first)
    }

    @Test func whatTheOrderAsksIsAskedOfAKnownMessageToo() throws {
        let verifier = try verifier()
        let hash = HexText(encoding: Array(repeating: 7, count: 32))
        let token = try PaymentToken(
            json: sandbox.mint.mint(Sandbox.order, applicationData: hash.bytes, signedAt: Sandbox.signingTime))
        #expect(verifier.verify(token, at: .signingTime).isValid)
        let other = HexText(encoding: Array(repeating: 8, count: 32))
        #expect(verifier.verifyByKnownMessage(token, at: .signingTime, applicationDataHash: hash) != nil)
        #expect(verifier.verifyByKnownMessage(token, at: .signingTime, applicationDataHash: other) == nil)
        let refused = verifier.verify(token, at: .signingTime, applicationDataHash: other)
        #expect(refused.firstFailure?.name == .applicationData)
    }

    @Test func copiesOfAVerifierShareItAndOthersDoNot() throws {
        let verifier = try verifier()
        let copy = verifier
        _ = try verifier.verify(token(), at: .signingTime)
        #expect(try copy.verifyByKnownMessage(token(), at: .signingTime) != nil)
        #expect(try TokenVerifier().verifyByKnownMessage(token(), at: .signingTime) == nil)
        #expect(try !TokenVerifier().verify(token(), at: .signingTime).isValid)
    }

    @Test func onlyATokenThatIsValidAsAWholeBringsItsMessageIn() throws {
        let verifier = try verifier()
        let stale = Moment.instant(Sandbox.signingTime.addingTimeInterval(301))
        #expect(try verifier.verify(token(), at: stale).firstFailure?.name == .freshness)
        let honest = try sandbox.honestToken()
        let other = try sandbox.honestToken()["paymentData"]?["signature"]
        let mixed = try PaymentToken(json: honest.replacing("paymentData", "signature", with: other))
        #expect(verifier.verify(mixed, at: .signingTime).firstFailure?.name == .messageDigest)
        #expect(try verifier.verifyByKnownMessage(token(), at: .signingTime) == nil)
    }

    @Test func aRefusedTokenLikeAKnownOneIsExplainedByOpenSSL() throws {
        let verifier = try verifier()
        _ = try verifier.verify(token(), at: .signingTime)
        let stale = Moment.instant(Sandbox.signingTime.addingTimeInterval(301))
        let token = try token()
        #expect(verifier.verifyByKnownMessage(token, at: stale) == nil)
        #expect(verifier.verify(token, at: stale) == (try self.verifier().verify(token, at: stale)))
    }

    @Test func certificatesInAnotherOrderAreNotRemembered() throws {
        let verifier = try verifier()
        let json = try sandbox.token { message, _ in message.certificates.reverse() }
        #expect(try verifier.verify(PaymentToken(json: json), at: .signingTime).isValid)
        #expect(try verifier.verifyByKnownMessage(PaymentToken(json: json), at: .signingTime) == nil)
    }

    @Test func theDatesOfKnownCertificatesAreJudgedAtEachSigningTime() throws {
        let (first, last) = (Sandbox.signingTime, Sandbox.signingTime.addingTimeInterval(1000))
        var leaf = CertificateTemplate.leaf
        (leaf.notBefore, leaf.notAfter) = (first, last)
        let sandbox = Sandbox(pki: try .generate(leaf: leaf))
        let verifier = try TokenVerifier(anchor: sandbox.pki.anchor())
        let known = try PaymentToken(json: sandbox.mint.mint(Sandbox.order, signedAt: first.addingTimeInterval(500)))
        #expect(verifier.verify(known, at: .signingTime).isValid)
        for (moment, isValid) in [
            (first.addingTimeInterval(-1), false), (first, true), (last.addingTimeInterval(-1), true), (last, false),
            (last.addingTimeInterval(1), false),
        ] {
            let token = try PaymentToken(json: sandbox.mint.mint(Sandbox.order, signedAt: moment))
            #expect((verifier.verifyByKnownMessage(token, at: .signingTime) != nil) == isValid, "\(moment)")
            let reference = verifier.verifyByOpenSSL(token, at: .signingTime)
            #expect(reference.isValid == isValid, "\(moment)")
            #expect(verifier.verify(token, at: .signingTime) == reference)
        }
    }

    @Test func manyTasksMayUseOneKey() async throws {
        let verifier = try verifier()
        _ = try verifier.verify(token(), at: .signingTime)
        let honest = try token()
        let forged = try PaymentToken(
            json: sandbox.token { message, _ in
                message.signers = [
                    try SignerInfo(
                        signing: message.signers[0].signedAttributes, with: P256.Signing.PrivateKey(),
                        of: sandbox.pki.leaf)
                ]
            })
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<50 {
                        #expect(verifier.verifyByKnownMessage(honest, at: .signingTime) != nil)
                        #expect(verifier.verifyByKnownMessage(forged, at: .signingTime) == nil)
                    }
                }
            }
        }
    }
}
