import COpenSSL

import struct FoundationEssentials.Date

/// The certificates of a message as objects of OpenSSL.
struct OpenSSLCertificates: MessageCertificates {
    let all: [Certificate]
    /// OpenSSL's objects of the certificates in ``all``, in the same order.
    private let handles: [CertificateHandle]
    private let store: Result<OpenSSLStore, CheckFailure>

    /// An object that owns one `X509`.
    private final class CertificateHandle {
        let handle: OpenSSLHandle
        init(_ handle: consuming OpenSSLHandle) { self.handle = handle }
    }

    /// - Parameters:
    ///   - store: the store of the trust anchor, or the reason why OpenSSL did not accept the anchor.
    /// - Throws: ``CheckFailure`` if a certificate is not in DER, or cannot be parsed.
    init(_ certificates: [ArraySlice<UInt8>], trusting store: Result<OpenSSLStore, CheckFailure>) throws(CheckFailure) {
        var (all, handles) = ([Certificate](), [CertificateHandle]())
        for der in certificates {
            let handle = try OpenSSLHandle.certificate(der: der)
            all.append(try Certificate(handle.pointer))
            handles.append(CertificateHandle(handle))
        }
        self.all = all
        self.handles = handles
        self.store = store
    }

    func intermediate(issuing leaf: Certificate) throws(CheckFailure) -> Certificate? {
        defer { OpenSSLErrors.clear() }
        let subject = try pointer(to: leaf)
        for candidate in all where candidate != leaf {
            let issuer = try pointer(to: candidate)
            if X509_check_issued(issuer, subject) == X509_V_OK, X509_verify(subject, X509_get0_pubkey(issuer)) == 1 {
                return candidate
            }
        }
        return nil
    }

    func validate(_ path: SignerPath, at moment: Date) throws(CheckFailure) {
        try store.get().verifyPath(
            leaf: pointer(to: path.leaf), intermediate: pointer(to: path.intermediate), at: moment)
    }

    func publicKey(of certificate: Certificate) throws(CheckFailure) -> PublicKey {
        try PublicKey(of: pointer(to: certificate))
    }

    /// Returns OpenSSL's object of a certificate. The pointer is valid while this value exists.
    private func pointer(to certificate: Certificate) throws(CheckFailure) -> OpaquePointer {
        guard let place = all.firstIndex(of: certificate) else {
            throw CheckFailure("the message does not have the certificate \(certificate.subject)")
        }
        return handles[place].handle.pointer
    }
}
