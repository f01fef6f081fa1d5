import ApplePayToken
import Crypto
import Foundation
import OrderedJSON
import Testing
import X509

import TokenMint

/// Each attack is minted by the same code as honest tokens, and must be refused by the check that is meant for it.
@Suite struct AttackTests {
    private let sandbox = Sandbox()

    private func refusal(of json: JSON, _ sandbox: Sandbox = Sandbox()) throws -> CheckName? {
        let verification = try sandbox.verify(json)
        #expect(!verification.isValid)
        return verification.refusal?.name
    }

    // MARK: The signed fields

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
            #expect(try refusal(of: attack) == .messageDigest)
        }
    }

    @Test func signatureOfAnotherToken() throws {
        let other = try sandbox.honestToken()["paymentData"]?["signature"]
        let attack = try sandbox.honestToken().replacing("paymentData", "signature", with: other)
        #expect(try refusal(of: attack) == .messageDigest)
    }

    // MARK: Signers

    @Test func foreignKeyBesideGenuineCertificates() throws {
        let attack = try sandbox.token { message, content in
            message.signers = [
                try SignerInfo(
                    signing: message.signers[0].signedAttributes, with: P256.Signing.PrivateKey(), of: sandbox.pki.leaf)
            ]
        }
        #expect(try refusal(of: attack) == .signature)
    }

    @Test func foreignCertificateBesideGenuineOnes() throws {
        let foreign = try SandboxPKI.generate()
        let attack = try sandbox.token { message, _ in
            message.signers = [
                try SignerInfo(
                    signing: message.signers[0].signedAttributes, with: foreign.leafKey, of: foreign.leaf)
            ]
            message.certificates += [try foreign.leaf.der(), try foreign.intermediate.der()]
        }
        #expect(try refusal(of: attack) == .chain)
    }

    @Test func signerThatBringsNoCertificate() throws {
        let attack = try sandbox.token { message, _ in message.certificates.removeFirst() }
        #expect(try refusal(of: attack) == .signer)
    }

    @Test func signerThatBringsNoIssuer() throws {
        let attack = try sandbox.token { message, _ in message.certificates.removeLast() }
        #expect(try refusal(of: attack) == .certificates)
    }

    @Test func noSignerAndTwoSigners() throws {
        #expect(try refusal(of: sandbox.token { message, _ in message.signers = [] }) == .signer)
        #expect(try refusal(of: sandbox.token { message, _ in message.signers += message.signers }) == .signer)
    }

    /// A merchant's own processing certificate also chains to the root.
    @Test func merchantCertificateAsSigner() throws {
        let key = try P256.Signing.PrivateKey(rawRepresentation: sandbox.pki.merchantKey.rawRepresentation)
        let attack = try sandbox.token { message, _ in
            message.signers = [
                try SignerInfo(signing: message.signers[0].signedAttributes, with: key, of: sandbox.pki.merchant)
            ]
            message.certificates.append(try sandbox.pki.merchant.der())
        }
        let verification = try sandbox.verify(attack)
        #expect(verification.refusal?.name == .leafMarker)
        #expect(verification[.chain]?.verdict == .failed, "its key is not for signing")
    }

    @Test func certificatesInAnotherOrderAreNoAttack() throws {
        let json = try sandbox.token { message, _ in
            message.certificates = [try sandbox.pki.root.der()] + message.certificates.reversed()
        }
        #expect(try sandbox.verify(json).isValid)
    }

    // MARK: Chains

    @Test func swappedMarkers() throws {
        var (intermediate, leaf) = (CertificateTemplate.intermediate, CertificateTemplate.leaf)
        swap(&intermediate.markers, &leaf.markers)
        let sandbox = Sandbox(pki: try .generate(intermediate: intermediate, leaf: leaf))
        let verification = try sandbox.verify(sandbox.honestToken())
        #expect(verification[.leafMarker]?.verdict == .failed)
        #expect(verification[.intermediateMarker]?.verdict == .failed)
        #expect(!verification.isValid)
    }

    @Test func missingMarkers() throws {
        var (intermediate, leaf) = (CertificateTemplate.intermediate, CertificateTemplate.leaf)
        intermediate.markers = []
        leaf.markers = []
        let unmarkedLeaf = Sandbox(pki: try .generate(leaf: leaf))
        #expect(try refusal(of: unmarkedLeaf.honestToken(), unmarkedLeaf) == .leafMarker)
        let unmarkedIssuer = Sandbox(pki: try .generate(intermediate: intermediate))
        #expect(try refusal(of: unmarkedIssuer.honestToken(), unmarkedIssuer) == .intermediateMarker)
    }

    @Test func lookAlikeRootOfTheSameName() throws {
        let lookAlike = Sandbox(pki: try .generate())
        #expect(lookAlike.pki.root.subject == sandbox.pki.root.subject)
        let verification = try sandbox.verify(lookAlike.honestToken())
        #expect(verification.refusal?.name == .chain)
        let withRoot = try lookAlike.token { message, _ in
            message.certificates.append(try lookAlike.pki.root.der())
        }
        #expect(try refusal(of: withRoot, sandbox) == .chain)
    }

    @Test func intermediateThatIsNoAuthority() throws {
        var intermediate = CertificateTemplate.intermediate
        intermediate.isAuthority = false
        let sandbox = Sandbox(pki: try .generate(intermediate: intermediate))
        #expect(try refusal(of: sandbox.honestToken(), sandbox) == .chain)
    }

    @Test func leafThatMayNotSign() throws {
        var leaf = CertificateTemplate.leaf
        leaf.keyUsage = .init(keyEncipherment: true)
        let sandbox = Sandbox(pki: try .generate(leaf: leaf))
        #expect(try refusal(of: sandbox.honestToken(), sandbox) == .chain)
    }

    @Test func certificatesOutsideTheirDates() throws {
        var leaf = CertificateTemplate.leaf
        leaf.notAfter = Sandbox.signingTime.addingTimeInterval(-1)
        let expired = Sandbox(pki: try .generate(leaf: leaf))
        #expect(try refusal(of: expired.honestToken(), expired) == .chain)
        var intermediate = CertificateTemplate.intermediate
        intermediate.notBefore = Sandbox.signingTime.addingTimeInterval(1)
        let early = Sandbox(pki: try .generate(intermediate: intermediate))
        #expect(try refusal(of: early.honestToken(), early) == .chain)
    }

    // MARK: Messages

    @Test func noSignedAttributes() throws {
        let attack = try sandbox.token { message, content in
            message.signers = [
                try SignerInfo(signingContent: content, with: sandbox.pki.leafKey, of: sandbox.pki.leaf)
            ]
        }
        #expect(try refusal(of: attack) == .signedAttributes)
    }

    @Test(arguments: 0..<4)
    func signedAttributeMissing(place: Int) throws {
        let json = try sandbox.token(attributes: { $0.remove(at: place) })
        // CMSAlgorithmProtection stands third; tokens of 2014 have none.
        if place == 2 {
            #expect(try sandbox.verify(json).isValid)
        } else {
            #expect(try refusal(of: json) == .signedAttributes)
        }
    }

    @Test(arguments: 0..<4)
    func signedAttributeTwice(place: Int) throws {
        #expect(try refusal(of: sandbox.token(attributes: { $0.append($0[place]) })) == .signedAttributes)
    }

    @Test func contentTypeThatIsNotData() throws {
        let attack = try sandbox.token(attributes: { $0[0] = try .contentType(.signedData) })
        #expect(try refusal(of: attack) == .signedAttributes)
    }

    @Test func algorithmProtectionThatNamesAnother() throws {
        let attack = try sandbox.token(attributes: { $0[2] = try .algorithmProtection(digest: .sha1) })
        #expect(try refusal(of: attack) == .algorithms)
    }

    @Test func digestAlgorithmSHA1() throws {
        let attack = try sandbox.token { message, _ in message.signers[0].digestAlgorithm = .sha1 }
        #expect(try refusal(of: attack) == .algorithms)
    }

    @Test func versionOfTheOtherKind() throws {
        let json = try sandbox.honestToken()
        let key = json["paymentData"]?["header"]?["ephemeralPublicKey"]
        let attack =
            json
            .replacing("paymentData", "version", with: "RSA_v1")
            .replacing("paymentData", "header", "ephemeralPublicKey", with: nil)
            .replacing("paymentData", "header", "wrappedKey", with: key)
        #expect(try refusal(of: attack) == .algorithms)
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
        #expect(try refusal(of: token.json(signature: sameContent.ber())) == .detached)
    }

    @Test func manyCertificates() throws {
        let attack = try sandbox.token { message, _ in
            message.certificates += Array(repeating: message.certificates[1], count: 7)
        }
        #expect(try refusal(of: attack) == .structure)
    }
}
