import ApplePayToken
import PayrelayPrimitives
import Testing
import TokenMint

/// Messages that are assembled differently from Apple's.
@Suite struct MessageAttackTests {
    private let sandbox = Sandbox()

    @Test func noSignedAttributes() throws {
        let attack = try sandbox.token { message, content in
            message.signers = [
                try SignerInfo(signingContent: content, with: sandbox.pki.leafKey, of: sandbox.pki.leaf)
            ]
        }
        #expect(try sandbox.refusal(of: attack) == .signedAttributes)
    }

    @Test(arguments: 0..<4)
    func signedAttributeMissing(place: Int) throws {
        let json = try sandbox.token(attributes: { $0.remove(at: place) })
        // CMSAlgorithmProtection is the third attribute. Tokens from 2014 do not have it.
        if place == 2 {
            #expect(try sandbox.verify(json).isValid)
        } else {
            #expect(try sandbox.refusal(of: json) == .signedAttributes)
        }
    }

    @Test(arguments: 0..<4)
    func signedAttributeTwice(place: Int) throws {
        #expect(try sandbox.refusal(of: sandbox.token(attributes: { $0.append($0[place]) })) == .signedAttributes)
    }

    @Test func contentTypeThatIsNotData() throws {
        let attack = try sandbox.token(attributes: { $0[0] = try .contentType(.signedData) })
        #expect(try sandbox.refusal(of: attack) == .signedAttributes)
    }

    @Test func algorithmProtectionThatNamesAnother() throws {
        let attack = try sandbox.token(attributes: { $0[2] = try .algorithmProtection(digest: .sha1) })
        #expect(try sandbox.refusal(of: attack) == .algorithms)
    }

    @Test func digestAlgorithmSHA1() throws {
        let attack = try sandbox.token { message, _ in message.signers[0].digestAlgorithm = .sha1 }
        #expect(try sandbox.refusal(of: attack) == .algorithms)
    }

    @Test func versionOfTheOtherKind() throws {
        let json = try sandbox.honestToken()
        let key = json["paymentData"]?["header"]?["ephemeralPublicKey"]
        let attack =
            json
            .replacing("paymentData", "version", with: "RSA_v1")
            .replacing("paymentData", "header", "ephemeralPublicKey", with: nil)
            .replacing("paymentData", "header", "wrappedKey", with: key)
        #expect(try sandbox.refusal(of: attack) == .algorithms)
    }

    @Test func contentOfItsOwn() throws {
        let token = try sandbox.mint.unsigned(Sandbox.order)
        let embedded = Array("something else".utf8)
        var message = try sandbox.mint.sign(embedded, at: Sandbox.signingTime)
        message.content = embedded
        let verification = try sandbox.verify(token.json(signature: message.ber()))
        #expect(verification[.detached]?.verdict == .failed)
        #expect(verification[.messageDigest]?.verdict == .failed)
        var sameContent = try sandbox.mint.sign(token.signedContent, at: Sandbox.signingTime)
        sameContent.content = token.signedContent
        #expect(try sandbox.refusal(of: token.json(signature: sameContent.ber())) == .detached)
    }

    @Test func manySigners() throws {
        let attack = try sandbox.token { message, _ in
            message.signers = Array(repeating: message.signers[0], count: 9)
        }
        #expect(try sandbox.refusal(of: attack) == .structure)
    }

    @Test func manyCertificates() throws {
        let attack = try sandbox.token { message, _ in
            message.certificates += Array(repeating: message.certificates[1], count: 7)
        }
        #expect(try sandbox.refusal(of: attack) == .structure)
    }
}
