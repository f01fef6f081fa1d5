import SwiftASN1
import X509

extension CertificateTemplate {
    /// The root that both sides of a session host's connections trust.
    package static let sessionAuthority = CertificateTemplate(
        commonName: "payrelay sandbox session CA", organizationalUnit: "payrelay sandbox Certification Authority",
        basicConstraints: .isCertificateAuthority(maxPathLength: nil),
        keyUsage: KeyUsage(keyCertSign: true, cRLSign: true))

    /// Of a session host that listens on loopback.
    package static let sessionHost = CertificateTemplate(
        commonName: "localhost", organizationalUnit: "Apple Pay", keyUsage: KeyUsage(digitalSignature: true),
        subjectAlternativeNames: SubjectAlternativeNames([
            .dnsName("localhost"), .ipAddress(ASN1OctetString(contentBytes: [127, 0, 0, 1])),
            .ipAddress(ASN1OctetString(contentBytes: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1])),
        ]))

    /// A merchant identity certificate, with the merchant identifier where Apple puts it.
    package static func merchantIdentity(_ identifier: String) -> CertificateTemplate {
        CertificateTemplate(
            commonName: "Apple Pay Merchant Identity:\(identifier)", organizationalUnit: "PAYRELAY00",
            userID: identifier, keyUsage: KeyUsage(digitalSignature: true))
    }
}
