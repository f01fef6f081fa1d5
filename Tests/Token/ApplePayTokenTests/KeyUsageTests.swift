import ApplePayToken
import Testing
import TokenMint
import X509

/// The purposes of the keys in the path. The check `chain` is OpenSSL's own judgement, whose gaps these tests show.
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

    /// An issuer whose key is for another purpose cannot issue certificates. OpenSSL accepts an issuer that states no purpose.
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
