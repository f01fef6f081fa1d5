import Crypto
import PayrelayPrimitives

/// Checks that the signed digest is the digest of the content, which is rebuilt from the token's fields (Apple's
/// step 1.d).
enum MessageDigestCheck {
    static func judge(
        _ messageDigest: ArraySlice<UInt8>, _ token: PaymentToken
    ) throws(CheckFailure) -> CheckResult<Void> {
        let digest = token.digest
        guard messageDigest.elementsEqual(digest) else {
            throw CheckFailure(
                "a signed field was changed: ephemeralPublicKey or wrappedKey, data, transactionId or applicationData")
        }
        return CheckResult("SHA-256 \(digest.withUnsafeBytes { HexText.text(of: $0) })")
    }
}
