import ApplePayToken
import Testing
import TokenMint
import X509

/// What the keys of the path are for. `chain` is OpenSSL's own judgement, whose gaps these show.
@Suite struct KeyUsageTests {
    private func verification(
        intermediate: CertificateTemplate = .intermediate, leaf: CertificateTemplate = .leaf
    ) throws -> TokenVerification {
        let sandbox = Sandbox(pki: try .generate(intermediate: intermediate, leaf: leaf))
        return try sandbox.verify(sandbox.honestToken())
    }

    @Test(
        arguments: [
            (KeyUsage(keyEncipherment: true, keyAgreement: true), .failed), (KeyUsage(nonRepudiation: true), .passed),
            (nil, .passed),
        ] as [(KeyUsage?, Check.Verdict)])
    func aLeafWithoutDigitalSignatureIsRefused(usage: KeyUsage?, chain: Check.Verdict) throws {
        var leaf = CertificateTemplate.leaf
        leaf.keyUsage = usage
        let verification = try verification(leaf: leaf)
        #expect(verification.firstFailure?.name == .keyUsage)
        #expect(verification[.chain]?.verdict == chain)
    }

    /// An issuer that says its key is for something else has issued nothing; one that does not say passes OpenSSL.
    @Test func anIssuerWithoutKeyCertSignIsRefused() throws {
        var intermediate = CertificateTemplate.intermediate
        intermediate.keyUsage = KeyUsage(digitalSignature: true, cRLSign: true)
        #expect(try verification(intermediate: intermediate).firstFailure?.name == .certificates)
        intermediate.keyUsage = nil
        let silent = try verification(intermediate: intermediate)
        #expect(silent.firstFailure?.name == .keyUsage)
        #expect(silent[.chain]?.verdict == .passed)
    }
}
