import COpenSSL
import struct FoundationEssentials.Date

/// The certificates of a message as OpenSSL holds them.
struct OpenSSLCertificates: MessageCertificates {
    let all: [Certificate]
    /// OpenSSL's objects for ``all``, in the same order.
    private let handles: [CertificateHandle]
    private let store: Result<OpenSSLStore, CheckFailure>

    /// Owns one `X509`.
    private final class CertificateHandle {
        let handle: OpenSSLHandle
        init(_ handle: consuming OpenSSLHandle) { self.handle = handle }
    }

    /// - Parameters:
    ///   - store: what OpenSSL trusts; the reason where it does not take the anchor.
    /// - Throws: ``CheckFailure`` where a certificate is not DER, or cannot be read.
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

    /// Good while this lives.
    private func pointer(to certificate: Certificate) throws(CheckFailure) -> OpaquePointer {
        guard let place = all.firstIndex(of: certificate) else {
            throw CheckFailure("the message does not have the certificate \(certificate.subject)")
        }
        return handles[place].handle.pointer
    }
}
