import ApplePayToken
import Crypto
import Testing
import TokenMint
import X509

@Suite struct MarkerTests {
    private func verification(
        _ change: (inout CertificateTemplate, inout CertificateTemplate) -> Void
    ) throws -> TokenVerification {
        var (intermediate, leaf) = (CertificateTemplate.intermediate, CertificateTemplate.leaf)
        change(&intermediate, &leaf)
        let sandbox = Sandbox(pki: try .generate(intermediate: intermediate, leaf: leaf))
        return try sandbox.verify(sandbox.honestToken())
    }

    @Test func swappedMarkersAreRefused() throws {
        let verification = try verification { swap(&$0.markers, &$1.markers) }
        #expect(verification[.leafMarker]?.verdict == .failed)
        #expect(verification[.intermediateMarker]?.verdict == .failed)
    }

    @Test func missingMarkersAreRefused() throws {
        #expect(try verification { $1.markers = [] }.firstFailure?.name == .leafMarker)
        #expect(
            try verification { intermediate, _ in intermediate.markers = [] }.firstFailure?.name == .intermediateMarker)
    }

    @Test func aCertificateWithBothMarkersIsRefused() throws {
        #expect(try verification { $1.markers += $0.markers }.firstFailure?.name == .leafMarker)
        #expect(try verification { $0.markers += $1.markers }.firstFailure?.name == .intermediateMarker)
    }

    /// "The value for these marker OIDs doesn't matter, only their presence."
    @Test func theMarkersValueDoesNotMatter() throws {
        #expect(try verification { $1.markers = [(.leafMarker, [0x0C, 0x01, 0x78])] }.isValid)
    }

    /// The library gala looks for the markers anywhere in the message.
    @Test func markersOnOtherCertificatesProveNothing() throws {
        let sandbox = Sandbox()
        var plain = CertificateTemplate.leaf
        plain.markers = []
        let leaf = try plain.issue(
            to: .init(sandbox.pki.leafKey.publicKey), by: sandbox.pki.intermediate.subject,
            with: .init(sandbox.pki.intermediateKey))
        let attack = try sandbox.token { message, _ in
            message.signers = [
                try SignerInfo(signing: message.signers[0].signedAttributes, with: sandbox.pki.leafKey, of: leaf)
            ]
            message.certificates.append(try leaf.der())
        }
        #expect(try sandbox.refusal(of: attack) == .leafMarker)
    }
}
