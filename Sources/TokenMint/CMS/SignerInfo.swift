package import Crypto
package import SwiftASN1
package import X509

/// A SignerInfo (RFC 5652, 5.3) as Apple writes it: version 1, issuer and serial number, no unsigned attributes, and
/// no parameters to its algorithms.
package struct SignerInfo: DERSerializable, Sendable {
    package var issuer: DistinguishedName
    package var serialNumber: X509.Certificate.SerialNumber
    package var digestAlgorithm: ASN1ObjectIdentifier = .sha256
    /// None: the signature is then over the content itself.
    package var signedAttributes: [CMSAttribute]
    package var signatureAlgorithm: ASN1ObjectIdentifier = .ecdsaWithSHA256
    package var signature: [UInt8]

    /// Signs the attributes with SHA-256.
    package init(
        signing attributes: [CMSAttribute], with key: P256.Signing.PrivateKey, of certificate: X509.Certificate
    ) throws {
        // RFC 5652, 5.4: what is signed is the attributes in DER as an explicit SET OF.
        var coder = DER.Serializer()
        try coder.serializeSetOf(attributes)
        try self.init(
            signedAttributes: attributes, signature: key.signature(for: coder.serializedBytes), of: certificate)
    }

    /// Signs the content itself, without attributes.
    package init(
        signingContent content: [UInt8], with key: P256.Signing.PrivateKey, of certificate: X509.Certificate
    ) throws {
        try self.init(signedAttributes: [], signature: key.signature(for: content), of: certificate)
    }

    private init(
        signedAttributes: [CMSAttribute], signature: P256.Signing.ECDSASignature, of certificate: X509.Certificate
    ) {
        issuer = certificate.issuer
        serialNumber = certificate.serialNumber
        self.signedAttributes = signedAttributes
        self.signature = Array(signature.derRepresentation)
    }

    package func serialize(into coder: inout DER.Serializer) throws {
        try coder.appendConstructedNode(identifier: .sequence) { coder in
            try coder.serialize(1)
            try coder.appendConstructedNode(identifier: .sequence) { coder in
                try coder.serialize(issuer)
                try coder.serialize(serialNumber.bytes)
            }
            try coder.appendConstructedNode(identifier: .sequence) { try $0.serialize(digestAlgorithm) }
            if !signedAttributes.isEmpty {
                let contextZero = ASN1Identifier(tagWithNumber: 0, tagClass: .contextSpecific)
                try coder.serializeSetOf(signedAttributes, identifier: contextZero)
            }
            try coder.appendConstructedNode(identifier: .sequence) { try $0.serialize(signatureAlgorithm) }
            try coder.serialize(ASN1OctetString(contentBytes: signature[...]))
        }
    }
}
