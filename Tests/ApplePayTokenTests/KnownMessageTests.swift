import Foundation
import PayrelayPrimitives
import Testing
import TokenMint

@testable import ApplePayToken

/// In what a token's message may differ from a known one, and in what not.
@Suite struct KnownMessageTests {
    private let sandbox = Sandbox()

    /// Knows the message of an honest token.
    private func knowing(_ token: PaymentToken) throws -> TokenVerifier {
        let verifier = try TokenVerifier(anchor: sandbox.pki.anchor())
        #expect(verifier.verify(token, at: .signingTime).isValid)
        return verifier
    }

    private func honestToken() throws -> PaymentToken {
        try PaymentToken(json: sandbox.honestToken())
    }

    /// The DER of an ECDSA signature has 70 to 72 bytes, and seldom fewer.
    @Test func timeDigestSignatureAndItsLengthMayDiffer() throws {
        let verifier = try knowing(honestToken())
        var lengths: Set<Int> = []
        for second in 0..<60 {
            let moment = Sandbox.signingTime.addingTimeInterval(Double(second))
            let token = try PaymentToken(json: sandbox.mint.mint(Sandbox.order, signedAt: moment))
            lengths.insert(token.signature.bytes.count)
            let quick = try #require(verifier.verifyByKnownMessage(token, at: .instant(moment)))
            let reference = try TokenVerifier(anchor: sandbox.pki.anchor()).verify(token, at: .instant(moment))
            #expect(quick == reference)
            #expect(quick.json == reference.json)
        }
        #expect(lengths.count >= 3)
        #expect(verifier.messages.count == 1)
    }

    /// The other signature that is valid for the same attributes, which OpenSSL accepts as well.
    @Test func theTwinOfASignatureIsJudgedAsOpenSSLDoes() throws {
        let token = try honestToken()
        let verifier = try knowing(token)
        var message = try RawMessage(token.signature.bytes)
        try message.takeTwin()
        let twin = token.signed(by: message.ber())
        #expect(
            verifier.verifyByKnownMessage(twin, at: .signingTime) == verifier.verifyByOpenSSL(twin, at: .signingTime))
    }

    @Test("S2: no flipped byte of a known message is accepted", arguments: [0x01, 0x20, 0x80, 0xFF] as [UInt8])
    func noFlippedByteIsAccepted(mask: UInt8) throws {
        let token = try honestToken()
        let verifier = try knowing(token)
        let message = token.signature.bytes
        let accepted = message.indices.filter { place in
            var damaged = message
            damaged[place] ^= mask
            return verifier.verifyByKnownMessage(token.signed(by: damaged), at: .signingTime) != nil
        }
        #expect(accepted.isEmpty)
    }

    @Test("S2: no known message is accepted with a byte more or less")
    func noByteMayBeAddedOrMissing() throws {
        let token = try honestToken()
        let verifier = try knowing(token)
        let message = token.signature.bytes
        for place in message.indices {
            var (longer, shorter) = (message, message)
            longer.insert(message[place], at: place)
            shorter.remove(at: place)
            #expect(verifier.verifyByKnownMessage(token.signed(by: longer), at: .signingTime) == nil)
            #expect(verifier.verifyByKnownMessage(token.signed(by: shorter), at: .signingTime) == nil)
        }
        for count in [0, 1, 2, message.count / 2] {
            let cut = token.signed(by: Array(message.prefix(count)))
            #expect(verifier.verifyByKnownMessage(cut, at: .signingTime) == nil)
        }
        for length in [0, 1, 127, 128, 255, 256, 4096] {
            var raw = try RawMessage(message)
            raw.signature = Array(repeating: 0x30, count: length)
            #expect(verifier.verifyByKnownMessage(token.signed(by: raw.ber()), at: .signingTime) == nil)
        }
    }

    /// Signed by the leaf's own key, so that it is the values which are judged.
    @Test func valuesThatAreSignedAreStillJudged() throws {
        let token = try honestToken()
        let verifier = try knowing(token)
        let times = ["270115080060Z", "270115080000+", "2701150800 0Z", "xxxxxxxxxxxxx"]
        for time in times.map({ RawMessage.element(0x17, Array($0.utf8)) }) {
            try expectRefused(token, by: verifier, attribute: 5, value: time)
        }
        try expectRefused(
            token, by: verifier, attribute: 4, value: RawMessage.element(0x04, Array(repeating: 7, count: 32)))
    }

    private func expectRefused(
        _ token: PaymentToken, by verifier: TokenVerifier, attribute type: UInt8, value: [UInt8]
    ) throws {
        var message = try RawMessage(token.signature.bytes)
        let place = try #require(message.attributes.firstIndex { $0.dropFirst(12).first == type })
        message.attributes[place] = Array(message.attributes[place].prefix(15)) + value
        try message.sign(with: sandbox.pki.leafKey)
        let other = token.signed(by: message.ber())
        let known = try #require(verifier.messages.message(like: other)).known
        #expect(known.verifies(try AppleMessageLayout(ber: message.ber()).signature, in: message.ber()))
        #expect(verifier.verifyByKnownMessage(other, at: .signingTime) == nil)
        #expect(!verifier.verify(other, at: .signingTime).isValid)
    }

    @Test func aTokenOfTheOtherVersionIsNotLikeIt() throws {
        let token = try honestToken()
        let verifier = try knowing(token)
        let other = token.signed(by: token.signature.bytes, version: .rsaV1)
        #expect(verifier.messages.message(like: other) == nil)
        #expect(verifier.verify(other, at: .signingTime).firstFailure?.name == .algorithms)
    }

    @Test func theOperatorsPolicyIsAskedOfEveryToken() throws {
        let refusing = TokenVerifier(anchor: try sandbox.pki.anchor(), sandboxSigners: .refused)
        for _ in 0..<2 {
            #expect(try refusing.verify(honestToken(), at: .signingTime).firstFailure?.name == .sandboxSigner)
        }
        #expect(refusing.messages.count == 0)
    }
}
