import COpenSSL
import struct FoundationEssentials.Date

/// A CMS message as OpenSSL holds it, and its contents as values.
final class OpenSSLMessage: VerifiableMessage {
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

    /// The certificate in the message whose name and key say that it issued another one; never that one itself.
    func issuer(of leaf: Certificate) throws(CheckFailure) -> Certificate? {
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

    func verify(_ path: SignerPath, anchor: TrustAnchor, at moment: Date) throws(CheckFailure) -> OpenSSLStore {
        let store = try OpenSSLStore(anchor: anchor, at: moment)
        try store.verifyPath(leaf: pointer(to: path.leaf), issuer: pointer(to: path.issuer))
        return store
    }

    /// The key of a certificate of ``contents``, to be used again.
    func verificationKey(of certificate: Certificate) throws(CheckFailure) -> VerificationKey {
        try VerificationKey(X509_get0_pubkey(pointer(to: certificate)))
    }

    /// OpenSSL's object for a certificate of ``contents``; good while this message lives.
    private func pointer(to certificate: Certificate) throws(CheckFailure) -> OpaquePointer {
        guard let place = contents.certificates.firstIndex(of: certificate),
            let pointer = shim_sk_X509_value(stack.pointer, CInt(place))
        else { throw CheckFailure("the message does not have the certificate \(certificate.subject)") }
        return pointer
    }

    func verifySignature() throws(CheckFailure) {
        OpenSSLErrors.clear()
        let signer = shim_sk_CMS_SignerInfo_value(CMS_get0_SignerInfos(handle.pointer), 0)
        guard CMS_SignerInfo_verify(signer) == 1 else {
            throw CheckFailure(OpenSSLErrors.explain("the signer's key did not sign these attributes"))
        }
    }

    /// By `CMS_verify`, with the content taken as bytes and not as text.
    func verify(_ token: PaymentToken, trusting store: OpenSSLStore) throws(CheckFailure) {
        OpenSSLErrors.clear()
        let source = try OpenSSLHandle.memory(holding: token.signedContent)
        guard CMS_verify(handle.pointer, nil, store.pointer, source.pointer, nil, UInt32(CMS_BINARY)) == 1 else {
            throw CheckFailure(OpenSSLErrors.explain("OpenSSL refuses the message as a whole"))
        }
    }
}
