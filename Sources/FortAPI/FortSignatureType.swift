/// How an account signs: the "SHA type" that its dashboard shows under Security Settings.
///
/// APS documents the two plain digests; its plugins offer the two HMACs too. SHA-1 (the dashboard's "SHA-128") is left
/// out on purpose.
public enum FortSignatureType: String, Hashable, Sendable, CaseIterable {
    /// The dashboard's "HMAC-256".
    case hmacSHA256 = "hmac-sha256"
    /// The dashboard's "HMAC-512".
    case hmacSHA512 = "hmac-sha512"
    case sha256
    case sha512

    /// HMAC-SHA256.
    public static let standard = hmacSHA256
}
