package import Crypto
package import CryptoExtras
package import SwiftASN1
package import X509

/// A SignerInfo (RFC 5652, 5.3) as Apple writes it: version 1, issuer and serial number, without unsigned
/// attributes, and without parameters of its algorithms.
package struct SignerInfo: DERSerializable, Sendable {
    package var issuer: DistinguishedName
    package var serialNumber: X509.Certificate.SerialNumber
    package var digestAlgorithm: ASN1ObjectIdentifier = .sha256
    /// Whether the absent parameters of the digest algorithm are written as NULL, as Apple did until 2022.
    package var digestHasNull = false
    /// The signed attributes. If there are none, the signature is over the content.
    package var signedAttributes: [CMSAttribute]
    package var signatureAlgorithm: ASN1ObjectIdentifier
    package var signature: [UInt8]

    /// Signs the attributes with ECDSA and SHA-256.
    package init(
        signing attributes: [CMSAttribute], with key: P256.Signing.PrivateKey, of certificate: X509.Certificate
    ) throws {
        let signature = try key.signature(for: Self.signedBytes(of: attributes))
        self.init(
            signedAttributes: attributes, signatureAlgorithm: .ecdsaWithSHA256,
            signature: Array(signature.derRepresentation), of: certificate)
    }

    /// Signs the attributes with RSA (PKCS #1 v1.5) and SHA-256.
    package init(
        signing attributes: [CMSAttribute], with key: _RSA.Signing.PrivateKey, of certificate: X509.Certificate
    ) throws {
        let digest = SHA256.hash(data: try Self.signedBytes(of: attributes))
        let signature = try key.signature(for: digest, padding: .insecurePKCS1v1_5)
        self.init(
            signedAttributes: attributes, signatureAlgorithm: .sha256WithRSA,
            signature: Array(signature.rawRepresentation), of: certificate)
    }

    /// Signs the content directly, without attributes.
    package init(
        signingContent content: [UInt8], with key: P256.Signing.PrivateKey, of certificate: X509.Certificate
    ) throws {
        self.init(
            signedAttributes: [], signatureAlgorithm: .ecdsaWithSHA256,
            signature: Array(try key.signature(for: content).derRepresentation), of: certificate)
    }

    private init(
        signedAttributes: [CMSAttribute], signatureAlgorithm: ASN1ObjectIdentifier, signature: [UInt8],
        of certificate: X509.Certificate
    ) {
        issuer = certificate.issuer
        serialNumber = certificate.serialNumber
        self.signedAttributes = signedAttributes
        self.signatureAlgorithm = signatureAlgorithm
        self.signature = signature
    }

    /// Returns the signed bytes: the attributes in DER as an explicit SET OF (RFC 5652, 5.4).
    private static func signedBytes(of attributes: [CMSAttribute]) throws -> [UInt8] {
        var coder = DER.Serializer()
        try coder.serializeSetOf(attributes)
        return coder.serializedBytes
    }

    package func serialize(into coder: inout DER.Serializer) throws {
        try coder.appendConstructedNode(identifier: .sequence) { coder in
            try coder.serialize(1)
            try coder.appendConstructedNode(identifier: .sequence) { coder in
                try coder.serialize(issuer)
                try coder.serialize(serialNumber.bytes)
            }
            try coder.serializeAlgorithm(digestAlgorithm, asNull: digestHasNull)
            if !signedAttributes.isEmpty {
                let contextZero = ASN1Identifier(tagWithNumber: 0, tagClass: .contextSpecific)
                try coder.serializeSetOf(signedAttributes, identifier: contextZero)
            }
            try coder.serializeAlgorithm(signatureAlgorithm, asNull: false)
            try coder.serialize(ASN1OctetString(contentBytes: signature[...]))
        }
    }
}
