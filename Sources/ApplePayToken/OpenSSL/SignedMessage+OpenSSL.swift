import COpenSSL

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
            signers.append(try Signer(shim_sk_CMS_SignerInfo_value(infos, place)))
        }
        self.signers = signers
    }
}

extension Signer {
    fileprivate init(_ info: OpaquePointer?) throws(CheckFailure) {
        var signer: OpaquePointer?
        var digest: UnsafeMutablePointer<X509_ALGOR>?
        var signature: UnsafeMutablePointer<X509_ALGOR>?
        CMS_SignerInfo_get0_algs(info, nil, &signer, &digest, &signature)
        if let signer { certificate = try Certificate(signer) } else { certificate = nil }
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
