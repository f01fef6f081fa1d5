import CMSReference
import Crypto
import Foundation
import PayrelayPrimitives
import Testing
import TokenMint
import X509

@testable import ApplePayToken

/// The pairs of certificates that are remembered, and the effect of a remembered pair.
@Suite struct ValidatedPairTests {
    private let sandbox = Sandbox()

    private func token(signedAt moment: Date = Sandbox.signingTime) throws -> PaymentToken {
        try PaymentToken(json: sandbox.mint.mint(Sandbox.order, signedAt: moment))
    }

    private func verifier() throws -> TokenVerifier {
        try TokenVerifier(anchor: sandbox.pki.anchor())
    }

    /// Returns a verifier that knows the sandbox's pair.
    private func knowing() throws -> TokenVerifier {
        let verifier = try verifier()
        #expect(try verifier.verify(token(), at: .signingTime).isValid)
        return verifier
    }

    @Test func aSecondTokenOfAPairIsVerifiedAtOnce() throws {
        let verifier = try verifier()
        #expect(try verifier.judgedAtOnce(token(), at: .signingTime) == nil)
        #expect(try verifier.verify(token(), at: .signingTime).isValid)
        #expect(verifier.chainCacheUse == ChainCacheUse(hits: 0, misses: 1))
        let second = try token()
        let known = try #require(verifier.judgedAtOnce(second, at: .signingTime))
        #expect(known == (try self.verifier().verify(second, at: .signingTime)))
        #expect(known.checks.map(\.name) == CheckName.allCases)
        #expect(verifier.chainCacheUse == ChainCacheUse(hits: 1, misses: 1))
        #expect(verifier.pairs.count == 1)
    }

    @Test(.enabled(if: Fixtures.arePresent), arguments: Fixtures.genuine)
    func aGenuineTokenGetsTheSameVerdictsAgain(name: String) throws {
        let verifier = TokenVerifier()
        let first = try verifier.verify(Fixtures.token(name), at: .signingTime)
        #expect(first.isValid)
        #expect(try verifier.judgedAtOnce(Fixtures.token(name), at: .signingTime) == first)
    }

    @Test func anRSATokenGetsTheSameVerdictsAgain() throws {
        let verifier = try verifier()
        let token = try PaymentToken(json: RSATokenMint().mint(Sandbox.order, signedAt: Sandbox.signingTime))
        let first = verifier.verify(token, at: .signingTime)
        #expect(first.isValid)
        #expect(verifier.judgedAtOnce(token, at: .signingTime) == first)
    }

    /// A known pair proves nothing about a message: every check is made, and reported in the same words.
    @Test func aRefusalIsTheSameWithAKnownPair() throws {
        let verifier = try knowing()
        let honest = try sandbox.honestToken()
        let other = try sandbox.honestToken()["paymentData"]?["signature"]
        let attacks = [
            try PaymentToken(json: honest.replacing("paymentData", "signature", with: other)),
            try PaymentToken(json: sandbox.token(attributes: { $0.remove(at: 1) })),
            try PaymentToken(
                json: sandbox.token { message, _ in
                    message.signers = [
                        try SignerInfo(
                            signing: message.signers[0].signedAttributes, with: P256.Signing.PrivateKey(),
                            of: sandbox.pki.leaf)
                    ]
                }),
        ]
        for (attack, refusal) in zip(attacks, [.messageDigest, .signedAttributes, .signature] as [CheckName]) {
            let known = verifier.judgedAtOnce(attack, at: .signingTime)
            #expect(known?.firstFailure?.name == refusal)
            #expect(known == (try self.verifier().verify(attack, at: .signingTime)))
        }
        let stale = Moment.instant(Sandbox.signingTime.addingTimeInterval(301))
        #expect(try verifier.judgedAtOnce(token(), at: stale)?.firstFailure?.name == .freshness)
    }

    @Test func theOrdersChecksAreMadeWithAKnownPairToo() throws {
        let verifier = try verifier()
        let hash = HexText(encoding: Array(repeating: 7, count: 32))
        let token = try PaymentToken(
            json: sandbox.mint.mint(Sandbox.order, applicationData: hash.bytes, signedAt: Sandbox.signingTime))
        #expect(verifier.verify(token, at: .signingTime).isValid)
        let other = HexText(encoding: Array(repeating: 8, count: 32))
        #expect(verifier.judgedAtOnce(token, at: .signingTime, applicationDataHash: hash)?.isValid == true)
        let refused = verifier.judgedAtOnce(token, at: .signingTime, applicationDataHash: other)
        #expect(refused?.firstFailure?.name == .applicationData)
    }

    @Test func copiesOfAVerifierShareItAndOthersDoNot() throws {
        let verifier = try verifier()
        let copy = verifier
        _ = try verifier.verify(token(), at: .signingTime)
        #expect(try copy.judgedAtOnce(token(), at: .signingTime) != nil)
        #expect(try TokenVerifier().judgedAtOnce(token(), at: .signingTime) == nil)
        #expect(try !TokenVerifier().verify(token(), at: .signingTime).isValid)
    }

    @Test func onlyATokenThatIsValidAsAWholeBringsItsPairIn() throws {
        let verifier = try verifier()
        let stale = Moment.instant(Sandbox.signingTime.addingTimeInterval(301))
        #expect(try verifier.verify(token(), at: stale).firstFailure?.name == .freshness)
        let honest = try sandbox.honestToken()
        let other = try sandbox.honestToken()["paymentData"]?["signature"]
        let mixed = try PaymentToken(json: honest.replacing("paymentData", "signature", with: other))
        #expect(verifier.verify(mixed, at: .signingTime).firstFailure?.name == .messageDigest)
        #expect(verifier.pairs.count == 0)
        let refusing = TokenVerifier(anchor: try sandbox.pki.anchor(), sandboxSigners: .refused)
        #expect(try refusing.verify(token(), at: .signingTime).firstFailure?.name == .sandboxSigner)
        #expect(refusing.pairs.count == 0)
    }

    /// The sender chooses the unsigned parts. A single valid token must not fill the cache.
    @Test func oneValidTokenBringsOnePairInWhateverItsForm() throws {
        let verifier = try verifier()
        let token = try token()
        let apples = try RawMessage(token.signature.bytes)
        var forms = RawMessage.Layer.allCases.filter { $0 != .attributes }.map { layer in
            var form = apples
            form.indefinite.formSymmetricDifference([layer])
            return form
        }
        let changes: [(inout RawMessage) throws -> Void] = [
            { $0.certificates.reverse() }, { $0.certificates.append($0.certificates[1]) },
            { $0.certificates.append(try sandbox.pki.root.der()) },
        ]
        for change in changes {
            var form = apples
            try change(&form)
            forms.append(form)
        }
        for form in forms { #expect(verifier.verify(token.signed(by: form.ber()), at: .signingTime).isValid) }
        #expect(verifier.pairs.count == 1)
    }

    @Test func otherCertificatesThanAKnownPairAreReadByOpenSSL() throws {
        let verifier = try knowing()
        for change in [{ $0.certificates.reverse() }, { $0.certificates.removeLast() }] as [(inout SignedData) -> Void]
        {
            let other = try PaymentToken(json: sandbox.token { message, _ in change(&message) })
            #expect(verifier.judgedAtOnce(other, at: .signingTime) == nil)
            #expect(verifier.verify(other, at: .signingTime) == (try self.verifier().verify(other, at: .signingTime)))
        }
    }

    @Test func aFullCacheKeepsWhatItHasAndTakesNoMore() throws {
        let tokens = try (0..<ValidatedPairCache.limit + 6).map { _ in
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
        let verifier = try verifier()
        for token in tokens + tokens { #expect(verifier.verify(token, at: .signingTime).isValid) }
        #expect(verifier.pairs.count == ValidatedPairCache.limit)
        let known = tokens.map { verifier.judgedAtOnce($0, at: .signingTime) != nil }
        #expect(known == tokens.indices.map { $0 < ValidatedPairCache.limit })
    }

    /// The validation of a path depends on the time. Nothing else about a known pair does.
    @Test func theDatesOfAKnownPairAreJudgedAtEachSigningTime() throws {
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
            #expect((verifier.judgedAtOnce(token, at: .signingTime) != nil) == isValid, "\(moment)")
            let reference = verifier.verifyThroughOpenSSL(token, at: .signingTime)
            #expect(reference.isValid == isValid, "\(moment)")
            #expect(verifier.verify(token, at: .signingTime) == reference)
        }
    }

    /// The twin is the other valid signature for the same attributes. OpenSSL accepts it as well.
    @Test func theTwinOfASignatureIsJudgedAsOpenSSLDoes() throws {
        let token = try token()
        var message = try RawMessage(token.signature.bytes)
        try message.takeTwin()
        let twin = token.signed(by: message.ber())
        #expect(try Reference(anchor: sandbox.pki.anchor()).judge(twin).is_valid)
        #expect(try knowing().judgedAtOnce(twin, at: .signingTime)?.isValid == true)
        #expect(twin.digest == token.digest)
    }

    @Test("S2: no flipped byte is accepted with a known pair", arguments: [0x01, 0x20, 0x80, 0xFF] as [UInt8])
    func noFlippedByteIsAccepted(mask: UInt8) throws {
        let token = try token()
        let verifier = try knowing()
        let message = token.signature.bytes
        let accepted = message.indices.filter { place in
            var damaged = message
            damaged[place] ^= mask
            return verifier.judgedAtOnce(token.signed(by: damaged), at: .signingTime)?.isValid == true
        }
        #expect(accepted.isEmpty)
    }

    @Test("S2: no message with a byte more or less is accepted with a known pair")
    func noByteMayBeAddedOrMissing() throws {
        let token = try token()
        let verifier = try knowing()
        let message = token.signature.bytes
        for place in message.indices {
            var (longer, shorter) = (message, message)
            longer.insert(message[place], at: place)
            shorter.remove(at: place)
            for other in [longer, shorter] {
                #expect(verifier.judgedAtOnce(token.signed(by: other), at: .signingTime)?.isValid != true)
            }
        }
        for count in [0, 1, 2, message.count / 2] {
            #expect(verifier.judgedAtOnce(token.signed(by: Array(message.prefix(count))), at: .signingTime) == nil)
        }
        for length in [0, 1, 127, 128, 255, 256, 4096] {
            var raw = try RawMessage(message)
            raw.signature = Array(repeating: 0x30, count: length)
            let verification = verifier.judgedAtOnce(token.signed(by: raw.ber()), at: .signingTime)
            #expect(verification?.firstFailure?.name == .signature)
        }
    }

    /// The leaf's own key signs the message, so that only the values decide.
    @Test(arguments: ["270115080060Z", "270115080000+", "2701150800 0Z", "xxxxxxxxxxxxx"])
    func anInvalidTimeIsRefusedAlthoughItIsSigned(time: String) throws {
        try expectRefused(attribute: 5, value: RawMessage.element(0x17, Array(time.utf8)), by: .signedAttributes)
    }

    @Test func anotherDigestIsRefusedThoughSigned() throws {
        for count in [0, 31, 32, 33, 127] {
            let value = RawMessage.element(0x04, Array(repeating: 7, count: count))
            try expectRefused(attribute: 4, value: value, by: .messageDigest)
        }
        let long = RawMessage.element(0x04, Array(repeating: 7, count: 128))
        try expectRefused(attribute: 4, value: long, by: .signedAttributes)
    }

    private func expectRefused(attribute type: UInt8, value: [UInt8], by check: CheckName) throws {
        let token = try token()
        var message = try RawMessage(token.signature.bytes)
        message.attributes.removeAll { $0.dropFirst(12).first == type }
        message.attributes.append(RawMessage.attribute(type, [value]))
        message.attributes.sort { $0.lexicographicallyPrecedes($1) }
        try message.sign(with: sandbox.pki.leafKey)
        let verification = try knowing().judgedAtOnce(token.signed(by: message.ber()), at: .signingTime)
        #expect(verification?.firstFailure?.name == check)
        #expect(verification?[.signature]?.verdict == .passed)
    }

    @Test func aTokenOfTheOtherVersionIsRefusedWithAKnownPair() throws {
        let token = try token()
        let other = token.signed(by: token.signature.bytes, version: .rsaV1)
        #expect(try knowing().judgedAtOnce(other, at: .signingTime)?.firstFailure?.name == .algorithms)
    }
}
