import Crypto
import Foundation
import Primitives
import Testing
import TokenMint

@testable import ApplePayToken

/// Which chains are remembered, and what that is good for.
@Suite struct KnownChainCacheTests {
    private let sandbox = Sandbox()

    private func token(signedAt moment: Date = Sandbox.signingTime) throws -> PaymentToken {
        try PaymentToken(json: sandbox.mint.mint(Sandbox.order, signedAt: moment))
    }

    private func verifier(freshness: Duration = .seconds(300)) throws -> TokenVerifier {
        try TokenVerifier(anchor: sandbox.pki.anchor(), freshness: freshness)
    }

    @Test func aSecondTokenOfTheChainNeedsNoOpenSSLMessage() throws {
        let verifier = try verifier()
        let second = try token()
        #expect(verifier.verifyByKnownChain(second, at: .signingTime) == nil)
        #expect(try verifier.verify(token(), at: .signingTime).isValid)
        let quick = try #require(verifier.verifyByKnownChain(second, at: .signingTime))
        #expect(quick == (try self.verifier().verify(second, at: .signingTime)))
        #expect(quick.checks.map(\.name) == CheckName.allCases)
    }

    @Test(.enabled(if: Fixtures.arePresent), arguments: Fixtures.genuine)
    func aGenuineTokenGetsTheSameVerdictsAgain(name: String) throws {
        let verifier = TokenVerifier()
        let first = try verifier.verify(Fixtures.token(name), at: .signingTime)
        #expect(first.isValid)
        #expect(try verifier.verifyByKnownChain(Fixtures.token(name), at: .signingTime) == first)
    }

    @Test func anRSATokenGetsTheSameVerdictsAgain() throws {
        let verifier = try verifier()
        let token = try PaymentToken(json: RSATokenMint().mint(Sandbox.order, signedAt: Sandbox.signingTime))
        let first = verifier.verify(token, at: .signingTime)
        #expect(first.isValid)
        #expect(verifier.verifyByKnownChain(token, at: .signingTime) == first)
    }

    @Test func whatTheOrderAsksIsAskedOfAKnownChainToo() throws {
        let verifier = try verifier()
        let hash = HexText(encoding: Array(repeating: 7, count: 32))
        let token = try PaymentToken(
            json: sandbox.mint.mint(Sandbox.order, applicationData: hash.bytes, signedAt: Sandbox.signingTime))
        #expect(verifier.verify(token, at: .signingTime).isValid)
        let other = HexText(encoding: Array(repeating: 8, count: 32))
        #expect(verifier.verifyByKnownChain(token, at: .signingTime, applicationDataHash: hash) != nil)
        #expect(verifier.verifyByKnownChain(token, at: .signingTime, applicationDataHash: other) == nil)
        let refused = verifier.verify(token, at: .signingTime, applicationDataHash: other)
        #expect(refused.firstFailure?.name == .applicationData)
    }

    @Test func copiesOfAVerifierShareItAndOthersDoNot() throws {
        let verifier = try verifier()
        let copy = verifier
        _ = try verifier.verify(token(), at: .signingTime)
        #expect(try copy.verifyByKnownChain(token(), at: .signingTime) != nil)
        #expect(try TokenVerifier().verifyByKnownChain(token(), at: .signingTime) == nil)
        #expect(try !TokenVerifier().verify(token(), at: .signingTime).isValid)
    }

    @Test func onlyATokenThatIsValidAsAWholeBringsItsChainIn() throws {
        let verifier = try verifier()
        let stale = Moment.instant(Sandbox.signingTime.addingTimeInterval(301))
        #expect(try verifier.verify(token(), at: stale).firstFailure?.name == .freshness)
        let honest = try sandbox.honestToken()
        let other = try sandbox.honestToken()["paymentData"]?["signature"]
        let mixed = try PaymentToken(json: honest.replacing("paymentData", "signature", with: other))
        #expect(verifier.verify(mixed, at: .signingTime).firstFailure?.name == .messageDigest)
        #expect(try verifier.verifyByKnownChain(token(), at: .signingTime) == nil)
    }

    @Test func aRefusedTokenOfAKnownChainIsExplainedByOpenSSL() throws {
        let verifier = try verifier()
        _ = try verifier.verify(token(), at: .signingTime)
        let stale = Moment.instant(Sandbox.signingTime.addingTimeInterval(301))
        let token = try token()
        #expect(verifier.verifyByKnownChain(token, at: stale) == nil)
        #expect(verifier.verify(token, at: stale) == (try self.verifier().verify(token, at: stale)))
    }

    @Test func certificatesInAnotherOrderAreNotRemembered() throws {
        let verifier = try verifier()
        let json = try sandbox.token { message, _ in message.certificates.reverse() }
        #expect(try verifier.verify(PaymentToken(json: json), at: .signingTime).isValid)
        #expect(try verifier.verifyByKnownChain(PaymentToken(json: json), at: .signingTime) == nil)
    }

    @Test func theDatesOfAKnownChainAreJudgedAtEachSigningTime() throws {
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
            #expect((verifier.verifyByKnownChain(token, at: .signingTime) != nil) == isValid, "\(moment)")
            let reference = verifier.verifyByOpenSSL(token, at: .signingTime)
            #expect(reference.isValid == isValid, "\(moment)")
            #expect(verifier.verify(token, at: .signingTime) == reference)
        }
    }

    @Test func aFullCacheKeepsWhatItHasAndTakesNoMore() throws {
        let bytes = try token().signature.bytes
        let layout = try AppleMessageLayout(ber: bytes)
        let chain = try KnownChain(of: StructureCheck.judge(bytes).value, in: bytes, layout)
        let digests = (0..<200).map { SHA256.hash(data: Array("\($0)".utf8)) }
        let cache = KnownChainCache()
        for digest in digests { cache.remember(chain, as: digest) }
        #expect(cache.count == 64)
        #expect(digests.prefix(64).allSatisfy { cache[$0] != nil })
        #expect(digests.dropFirst(64).allSatisfy { cache[$0] == nil })
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
                        #expect(verifier.verifyByKnownChain(honest, at: .signingTime) != nil)
                        #expect(verifier.verifyByKnownChain(forged, at: .signingTime) == nil)
                    }
                }
            }
        }
    }
}
