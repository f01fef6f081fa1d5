import ApplePayToken
import Foundation
import OrderedJSON
import Testing
import TokenMint
import X509

/// Certificates that do not make Apple's chain.
@Suite struct ChainAttackTests {
    private let sandbox = Sandbox()

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
        #expect(try unmarkedLeaf.refusal(of: unmarkedLeaf.honestToken()) == .leafMarker)
        let unmarkedIssuer = Sandbox(pki: try .generate(intermediate: intermediate))
        #expect(try unmarkedIssuer.refusal(of: unmarkedIssuer.honestToken()) == .intermediateMarker)
    }

    @Test func lookAlikeRootOfTheSameName() throws {
        let lookAlike = Sandbox(pki: try .generate())
        #expect(lookAlike.pki.root.subject == sandbox.pki.root.subject)
        let verification = try sandbox.verify(lookAlike.honestToken())
        #expect(verification.refusal?.name == .chain)
        let withRoot = try lookAlike.token { message, _ in
            message.certificates.append(try lookAlike.pki.root.der())
        }
        #expect(try sandbox.refusal(of: withRoot) == .chain)
    }

    @Test func intermediateThatIsNoAuthority() throws {
        var intermediate = CertificateTemplate.intermediate
        intermediate.basicConstraints = .notCertificateAuthority
        let sandbox = Sandbox(pki: try .generate(intermediate: intermediate))
        #expect(try sandbox.refusal(of: sandbox.honestToken()) == .chain)
    }

    @Test func leafThatMayNotSign() throws {
        var leaf = CertificateTemplate.leaf
        leaf.keyUsage = .init(keyEncipherment: true)
        let sandbox = Sandbox(pki: try .generate(leaf: leaf))
        #expect(try sandbox.refusal(of: sandbox.honestToken()) == .chain)
    }

    @Test func certificatesOutsideTheirDates() throws {
        var leaf = CertificateTemplate.leaf
        leaf.notAfter = Sandbox.signingTime.addingTimeInterval(-1)
        let expired = Sandbox(pki: try .generate(leaf: leaf))
        #expect(try expired.refusal(of: expired.honestToken()) == .chain)
        var intermediate = CertificateTemplate.intermediate
        intermediate.notBefore = Sandbox.signingTime.addingTimeInterval(1)
        let early = Sandbox(pki: try .generate(intermediate: intermediate))
        #expect(try early.refusal(of: early.honestToken()) == .chain)
    }
}
