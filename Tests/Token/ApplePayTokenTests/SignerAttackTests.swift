import ApplePayToken
import Crypto
import PayrelayPrimitives
import Testing
import TokenMint

/// Messages with the wrong signer, with no signer, or with more than one.
@Suite struct SignerAttackTests {
    private let sandbox = Sandbox()

    @Test func foreignKeyBesideGenuineCertificates() throws {
        let attack = try sandbox.token { message, content in
            message.signers = [
                try SignerInfo(
                    signing: message.signers[0].signedAttributes, with: P256.Signing.PrivateKey(), of: sandbox.pki.leaf)
            ]
        }
        #expect(try sandbox.refusal(of: attack) == .signature)
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
        #expect(try sandbox.refusal(of: attack) == .chain)
    }

    @Test func signerThatBringsNoCertificate() throws {
        let attack = try sandbox.token { message, _ in message.certificates.removeFirst() }
        #expect(try sandbox.refusal(of: attack) == .signer)
    }

    @Test func signerThatBringsNoIssuer() throws {
        let attack = try sandbox.token { message, _ in message.certificates.removeLast() }
        #expect(try sandbox.refusal(of: attack) == .certificates)
    }

    @Test func noSignerAndTwoSigners() throws {
        #expect(try sandbox.refusal(of: sandbox.token { message, _ in message.signers = [] }) == .signer)
        #expect(try sandbox.refusal(of: sandbox.token { message, _ in message.signers += message.signers }) == .signer)
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
        #expect(verification.firstFailure?.name == .leafMarker)
        #expect(verification[.chain]?.verdict == .failed, "its key is not for signing")
    }

    @Test func certificatesInAnotherOrderAreNoAttack() throws {
        let json = try sandbox.token { message, _ in
            message.certificates = [try sandbox.pki.root.der()] + message.certificates.reversed()
        }
        #expect(try sandbox.verify(json).isValid)
    }
}
