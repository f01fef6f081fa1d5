import COpenSSL
import struct FoundationEssentials.Date

/// A CMS message as OpenSSL holds it, and its contents as values.
final class OpenSSLMessage {
    let contents: SignedMessage
    private let handle: OpenSSLHandle
    /// The certificates of ``contents``, in the same order.
    private let stack: OpenSSLHandle

    /// Reads a SignedData in BER that fills the bytes.
    ///
    /// - Throws: ``CheckFailure`` where the bytes are anything else.
    init(ber bytes: [UInt8], partLimit: Int) throws(CheckFailure) {
        handle = try decode(bytes, as: "the CMS message", freedBy: CMS_ContentInfo_free) {
            d2i_CMS_ContentInfo(nil, $0, $1)
        }
        let type = try dotted(CMS_get0_type(handle.pointer))
        guard type == Self.signedData else { throw CheckFailure("the CMS message is of type \(type), not SignedData") }
        guard let certificates = CMS_get1_certs(handle.pointer) else {
            throw CheckFailure("the message has no certificates")
        }
        stack = try OpenSSLHandle(certificates, freedBy: shim_sk_X509_pop_free, or: "")
        contents = try SignedMessage(handle, certificates: stack, partLimit: partLimit)
    }

    /// RFC 5652, 5.1
    private static let signedData = "1.2.840.113549.1.7.2"

    /// The certificate in the message that issued the leaf, by name and key; never the leaf itself.
    func intermediate(issuing leaf: Certificate) throws(CheckFailure) -> Certificate? {
        defer { OpenSSLErrors.clear() }
        let subject = try pointer(to: leaf)
        for candidate in contents.certificates where candidate != leaf {
            let issuer = try pointer(to: candidate)
            if X509_check_issued(issuer, subject) == X509_V_OK, X509_verify(subject, X509_get0_pubkey(issuer)) == 1 {
                return candidate
            }
        }
        return nil
    }

    /// Verifies the path of leaf, intermediate and the store's anchor at a time.
    func verify(_ path: SignerPath, trusting store: OpenSSLStore, at moment: Date) throws(CheckFailure) {
        try store.verifyPath(leaf: pointer(to: path.leaf), intermediate: pointer(to: path.intermediate), at: moment)
    }

    /// The key of a certificate of ``contents``, prepared for many verifications.
    func preparedKey(of certificate: Certificate) throws(CheckFailure) -> PreparedKey {
        try PreparedKey(X509_get0_pubkey(pointer(to: certificate)))
    }

    /// OpenSSL's object for a certificate of ``contents``; good while this message lives.
    private func pointer(to certificate: Certificate) throws(CheckFailure) -> OpaquePointer {
        guard let place = contents.certificates.firstIndex(of: certificate),
            let pointer = shim_sk_X509_value(stack.pointer, CInt(place))
        else { throw CheckFailure("the message does not have the certificate \(certificate.subject)") }
        return pointer
    }

    /// Verifies the signature of the one signer over its signed attributes.
    func verifySignature() throws(CheckFailure) {
        OpenSSLErrors.clear()
        let signer = shim_sk_CMS_SignerInfo_value(CMS_get0_SignerInfos(handle.pointer), 0)
        guard CMS_SignerInfo_verify(signer) == 1 else {
            throw CheckFailure(OpenSSLErrors.explain("the signer's key did not sign these attributes"))
        }
    }

    /// Verifies content, attributes and signature by `CMS_verify`, with the content taken as bytes and not as text. The signer's
    /// path is left out: it has been verified with the same parameters.
    func verify(_ token: PaymentToken) throws(CheckFailure) {
        OpenSSLErrors.clear()
        let source = try OpenSSLHandle.memory(holding: token.signedContent)
        let flags = UInt32(CMS_BINARY | CMS_NO_SIGNER_CERT_VERIFY)
        guard CMS_verify(handle.pointer, nil, nil, source.pointer, nil, flags) == 1 else {
            throw CheckFailure(OpenSSLErrors.explain("OpenSSL refuses the message as a whole"))
        }
    }
}

extension SignedMessage {
    /// Reads every part of a message that the checks look at.
    init(
        _ message: borrowing OpenSSLHandle, certificates stack: borrowing OpenSSLHandle, partLimit: Int
    ) throws(CheckFailure) {
        contentType = try dotted(CMS_get0_eContentType(message.pointer))
        hasContent = CMS_is_detached(message.pointer) != 1
        let count = shim_sk_X509_num(stack.pointer)
        let infos = CMS_get0_SignerInfos(message.pointer)
        let signerCount = max(0, shim_sk_CMS_SignerInfo_num(infos))
        guard count <= partLimit, signerCount <= partLimit else {
            throw CheckFailure(
                "the message has \(count) certificates and \(signerCount) signers; at most \(partLimit) are read")
        }
        var certificates: [Certificate] = []
        for place in 0..<count { certificates.append(try Certificate(shim_sk_X509_value(stack.pointer, place))) }
        self.certificates = certificates

        // Binds each SignerInfo to the certificate that its issuer and serial number name.
        CMS_set1_signers_certs(message.pointer, nil, 0)
        var signers: [Signer] = []
        for place in 0..<signerCount {
            let info = shim_sk_CMS_SignerInfo_value(infos, place)
            signers.append(try Signer(info, among: certificates, of: stack))
        }
        self.signers = signers
    }
}

extension Signer {
    /// - Parameters:
    ///   - certificates: the message's.
    ///   - stack: the same as OpenSSL has them.
    fileprivate init(
        _ info: OpaquePointer?, among certificates: [Certificate], of stack: borrowing OpenSSLHandle
    ) throws(CheckFailure) {
        var signer: OpaquePointer?
        var digest: UnsafeMutablePointer<X509_ALGOR>?
        var signature: UnsafeMutablePointer<X509_ALGOR>?
        CMS_SignerInfo_get0_algs(info, nil, &signer, &digest, &signature)
        // Read once already: CMS_set1_signers_certs takes the signer's from among the message's.
        var place: Int?
        for other in certificates.indices
        where signer != nil && shim_sk_X509_value(stack.pointer, CInt(other)) == signer {
            place = other
        }
        certificate = place.map { certificates[$0] }
        digestAlgorithm = AlgorithmIdentifier(der: try encode { i2d_X509_ALGOR(digest, $0) })
        signatureAlgorithm = AlgorithmIdentifier(der: try encode { i2d_X509_ALGOR(signature, $0) })

        var issuer: OpaquePointer?
        CMS_SignerInfo_get0_signer_id(info, nil, &issuer, nil)
        issuerName = if let issuer { try encode { i2d_X509_NAME(issuer, $0) } } else { [] }

        var attributes: [Attribute] = []
        for place in 0..<max(0, CMS_signed_get_attr_count(info)) {
            attributes.append(try Attribute(CMS_signed_get_attr(info, place)))
        }
        signedAttributes = attributes
    }
}

extension Attribute {
    fileprivate init(_ attribute: OpaquePointer?) throws(CheckFailure) {
        type = try dotted(X509_ATTRIBUTE_get0_object(attribute))
        var values: [[UInt8]] = []
        for place in 0..<X509_ATTRIBUTE_count(attribute) {
            let value = X509_ATTRIBUTE_get0_type(attribute, place)
            values.append(try encode { i2d_ASN1_TYPE(value, $0) })
        }
        self.values = values
    }
}
