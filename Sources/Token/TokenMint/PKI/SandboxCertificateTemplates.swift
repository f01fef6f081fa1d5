import ApplePayToken
import Crypto
import PayrelayPrimitives
package import SwiftASN1
import X509

extension CertificateTemplate {
    package static let root = CertificateTemplate(
        commonName: "payrelay sandbox Root CA - G3", organizationalUnit: "payrelay sandbox Certification Authority",
        basicConstraints: .isCertificateAuthority(maxPathLength: nil),
        keyUsage: KeyUsage(keyCertSign: true, cRLSign: true))

    package static let intermediate = CertificateTemplate(
        commonName: "payrelay sandbox Application Integration CA - G3",
        organizationalUnit: "payrelay sandbox Certification Authority",
        basicConstraints: .isCertificateAuthority(maxPathLength: nil),
        keyUsage: KeyUsage(keyCertSign: true, cRLSign: true), markers: [(.intermediateMarker, null)])

    package static let leaf = CertificateTemplate(
        commonName: "ecc-smp-broker-sign_payrelay-SANDBOX", organizationalUnit: "iOS Systems",
        keyUsage: KeyUsage(digitalSignature: true), markers: [(.leafMarker, null)])

    /// The certificate that signs tokens of version RSA_v1.
    package static let rsaLeaf = CertificateTemplate(
        commonName: "rsa-smp-broker-sign_payrelay-SANDBOX", organizationalUnit: "iOS Systems",
        keyUsage: KeyUsage(digitalSignature: true), markers: [(.leafMarker, null)])

    /// Returns a payment processing certificate, with the extension that contains the SHA-256 of the merchant
    /// identifier in hex.
    package static func merchant(identifier: String) -> CertificateTemplate {
        let hash = HexText(encoding: Array(SHA256.hash(data: Array(identifier.utf8)))).text.uppercasedASCII
        let value: [UInt8] = [0x0C, UInt8(hash.utf8.count)] + Array(hash.utf8)
        return CertificateTemplate(
            commonName: "Apple Pay Payment Processing:\(identifier)", organizationalUnit: "PAYRELAY00",
            keyUsage: KeyUsage(keyEncipherment: true, keyAgreement: true), markers: [(.merchantIdentifier, value)])
    }

    private static let null: [UInt8] = [0x05, 0x00]
}

extension ASN1ObjectIdentifier {
    package static let leafMarker: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 6, 29]
    package static let intermediateMarker: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 6, 2, 14]
    package static let merchantIdentifier: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 6, 32]
}

extension CertificateTemplate {
    /// The root that both sides of a connection to a session host trust.
    package static let sessionAuthority = CertificateTemplate(
        commonName: "payrelay sandbox session CA", organizationalUnit: "payrelay sandbox Certification Authority",
        basicConstraints: .isCertificateAuthority(maxPathLength: nil),
        keyUsage: KeyUsage(keyCertSign: true, cRLSign: true))

    /// The certificate of a session host that listens on loopback.
    package static let sessionHost = CertificateTemplate(
        commonName: "localhost", organizationalUnit: "Apple Pay", keyUsage: KeyUsage(digitalSignature: true),
        subjectAlternativeNames: SubjectAlternativeNames([
            .dnsName("localhost"), .ipAddress(ASN1OctetString(contentBytes: [127, 0, 0, 1])),
            .ipAddress(ASN1OctetString(contentBytes: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1])),
        ]))

    /// Returns a merchant identity certificate, with the merchant identifier in the place where Apple puts it.
    package static func merchantIdentity(_ identifier: String) -> CertificateTemplate {
        CertificateTemplate(
            commonName: "Apple Pay Merchant Identity:\(identifier)", organizationalUnit: "PAYRELAY00",
            userID: identifier, keyUsage: KeyUsage(digitalSignature: true))
    }
}
