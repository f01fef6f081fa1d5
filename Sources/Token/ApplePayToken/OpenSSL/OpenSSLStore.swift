import COpenSSL

import struct FoundationEssentials.Date

/// OpenSSL's store of trust anchors. It has one anchor in memory, and none of the system's roots.
///
/// Each verifier creates one store, which many threads use.
// Safe: nothing modifies the store after its creation. OpenSSL counts the references to it atomically, and locks
// it while looking up the anchor. The time and the other state of a path are in that path's context
// (openssl-threads(7)).
final class OpenSSLStore: @unchecked Sendable {
    private let store: OpenSSLHandle

    init(anchor: TrustAnchor) throws(CheckFailure) {
        OpenSSLErrors.clear()
        let certificate = try anchor.certificate()
        store = try OpenSSLHandle(X509_STORE_new(), freedBy: X509_STORE_free, or: "OpenSSL makes no store")
        let parameters = X509_STORE_get0_param(store.pointer)
        // Level 2 requires 112 bits: no SHA-1 and no short keys below the anchor.
        X509_VERIFY_PARAM_set_auth_level(parameters, 2)
        guard X509_VERIFY_PARAM_set_purpose(parameters, X509_PURPOSE_SMIME_SIGN) == 1,
            // The anchor is only a name and a key, not a self-signed certificate.
            X509_VERIFY_PARAM_set_flags(parameters, UInt(X509_V_FLAG_PARTIAL_CHAIN)) == 1,
            X509_STORE_add_cert(store.pointer, certificate.pointer) == 1
        else { throw CheckFailure(OpenSSLErrors.explain("OpenSSL does not take the trust anchor")) }
        // Makes OpenSSL read the anchor's extensions now. OpenSSL then reports that the anchor has no signature
        // for a fingerprint. Without this call, that error would appear among the reasons of the first failure.
        X509_check_purpose(certificate.pointer, -1, 0)
        OpenSSLErrors.clear()
    }

    /// Verifies the path of exactly these three, leaf, intermediate and anchor, with the parameters that
    /// `CMS_verify` would use.
    func verifyPath(leaf: OpaquePointer, intermediate: OpaquePointer, at moment: Date) throws(CheckFailure) {
        let untrusted = try OpenSSLHandle(shim_sk_X509_new(), freedBy: shim_sk_X509_free, or: "out of memory")
        let context = try OpenSSLHandle(X509_STORE_CTX_new(), freedBy: X509_STORE_CTX_free, or: "out of memory")
        guard shim_sk_X509_push(untrusted.pointer, intermediate) > 0,
            X509_STORE_CTX_init(context.pointer, store.pointer, leaf, untrusted.pointer) == 1,
            X509_STORE_CTX_set_default(context.pointer, "smime_sign") == 1
        else { throw CheckFailure(OpenSSLErrors.explain("OpenSSL cannot verify the chain")) }
        X509_STORE_CTX_set_time(context.pointer, 0, time_t(moment.timeIntervalSince1970))
        OpenSSLErrors.clear()
        guard X509_verify_cert(context.pointer) == 1 else {
            let error = X509_STORE_CTX_get_error(context.pointer)
            let reason = X509_verify_cert_error_string(CLong(error)).map { String(cString: $0) } ?? "error \(error)"
            let depth = X509_STORE_CTX_get_error_depth(context.pointer)
            let place = ["the signer's certificate", "its issuer", "the trust anchor"]
            let bearer = place.indices.contains(Int(depth)) ? place[Int(depth)] : "certificate \(depth)"
            throw CheckFailure(OpenSSLErrors.explain("\(reason), at \(bearer)"))
        }
        let path = X509_STORE_CTX_get0_chain(context.pointer)
        guard shim_sk_X509_num(path) == 3, X509_cmp(shim_sk_X509_value(path, 1), intermediate) == 0 else {
            throw CheckFailure("the chain is not signer, issuer and trust anchor")
        }
    }
}
