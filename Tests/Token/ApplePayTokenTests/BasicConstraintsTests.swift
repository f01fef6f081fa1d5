import ApplePayToken
import Crypto
import Testing
import TokenMint
import X509

/// Which certificates may issue others. The check `chain` is OpenSSL's own judgement, whose gaps these tests show.
@Suite struct BasicConstraintsTests {
    private func verification(
        intermediate: CertificateTemplate = .intermediate, leaf: CertificateTemplate = .leaf
    ) throws -> TokenVerification {
        let sandbox = Sandbox(pki: try .generate(intermediate: intermediate, leaf: leaf))
        return try sandbox.verify(sandbox.honestToken())
    }

    @Test func anAuthoritySignsNoTokens() throws {
        var leaf = CertificateTemplate.leaf
        leaf.basicConstraints = .isCertificateAuthority(maxPathLength: nil)
        leaf.keyUsage = .init(digitalSignature: true, keyCertSign: true)
        let verification = try verification(leaf: leaf)
        #expect(verification.firstFailure?.name == .basicConstraints)
        #expect(verification[.chain]?.verdict == .passed, "OpenSSL does not mind")
    }

    @Test(arguments: [BasicConstraints.notCertificateAuthority, nil])
    func aCertificateThatIsNotAnAuthoritysIssuesNothing(constraints: BasicConstraints?) throws {
        var intermediate = CertificateTemplate.intermediate
        intermediate.basicConstraints = constraints
        let verification = try verification(intermediate: intermediate)
        #expect(verification.firstFailure?.name == .basicConstraints)
        #expect(verification[.chain]?.verdict == .failed)
    }

    @Test func aLeafWithoutBasicConstraintsIsNotAnAuthority() throws {
        var leaf = CertificateTemplate.leaf
        leaf.basicConstraints = nil
        #expect(try verification(leaf: leaf).isValid)
    }

    /// A path length of 0 forbids an authority below, and the signer is not an authority.
    @Test func aPathLengthOfZeroAllowsTheSigner() throws {
        var intermediate = CertificateTemplate.intermediate
        intermediate.basicConstraints = .isCertificateAuthority(maxPathLength: 0)
        #expect(try verification(intermediate: intermediate).isValid)
    }

    /// A path of signer, authority, authority and root. It violates the path length, and without a path length it is still
    /// longer than Apple's.
    @Test(arguments: [0, nil])
    func aLongerPathIsRefused(maxPathLength: Int?) throws {
        var upper = CertificateTemplate.intermediate
        upper.commonName = "upper"
        upper.basicConstraints = .isCertificateAuthority(maxPathLength: maxPathLength)
        let sandbox = Sandbox(pki: try .generate(intermediate: upper))
        let key = X509.Certificate.PrivateKey(sandbox.pki.intermediateKey)
        let lower = try CertificateTemplate.intermediate.issue(to: key.publicKey, by: upper.subject, with: key)
        let leaf = try CertificateTemplate.leaf.issue(
            to: .init(sandbox.pki.leafKey.publicKey), by: lower.subject, with: key)
        let attack = try sandbox.token { message, _ in
            message.signers = [
                try SignerInfo(
                    signing: message.signers[0].signedAttributes, with: sandbox.pki.leafKey, of: leaf)
            ]
            message.certificates = [try leaf.der(), try lower.der(), try sandbox.pki.intermediate.der()]
        }
        #expect(try sandbox.refusal(of: attack) == .chain)
    }
}
