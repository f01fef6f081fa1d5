import ApplePayToken
import Crypto
import Foundation
import SwiftASN1
import Testing
import TokenMint
import X509

@Suite struct TrustAnchorTests {
    @Test func takesNameAndKeyOfACertificate() throws {
        let anchor = try SandboxPKI.published.anchor()
        #expect(anchor.commonName == "payrelay sandbox Root CA - G3")
        #expect(anchor.name == (try SandboxPKI.published.root.subject.der()))
        #expect(anchor.publicKey == Array(SandboxPKI.published.rootKey.publicKey.derRepresentation))
    }

    @Test func refusesWhatIsNotOneCertificate() throws {
        let certificate = try SandboxPKI.published.pem(.root)
        #expect(throws: PEMError.self) { try TrustAnchor(pem: "") }
        #expect(throws: PEMError.self) { try TrustAnchor(pem: "-----BEGIN CERTIFICATE-----") }
        #expect(throws: PEMError.self) { try TrustAnchor(pem: SandboxPKI.published.pem(.leafKey)) }
        #expect(throws: PEMError.self) { try TrustAnchor(pem: "\(certificate)\n\(certificate)\n") }
        #expect(try TrustAnchor(pem: "a comment\n\(certificate)\n") == SandboxPKI.published.anchor())
    }

    @Test func appleRootHasTheNameThatApplesIntermediateNames() {
        let text = String(decoding: TrustAnchor.appleRootCAG3.name, as: UTF8.self)
        for part in ["Apple Root CA - G3", "Apple Certification Authority", "Apple Inc.", "US"] {
            #expect(text.contains(part))
        }
    }
}
