public import PayrelayPrimitives

/// The last day on which a token for a payment processing certificate was seen, so that a renewal can be watched.
/// Nothing about money depends on it.
public struct CertificateUse: Hashable, Sendable {
    /// SHA-256 of the certificate's public key (X.509 SubjectPublicKeyInfo in DER), 32 bytes.
    public let publicKeyHash: Base64Text
    public let lastSeen: CalendarDay

    /// The maximum number of certificates that are read, far more than one merchant ever has.
    public static let limit = 256

    public init(publicKeyHash: Base64Text, lastSeen: CalendarDay) {
        self.publicKeyHash = publicKeyHash
        self.lastSeen = lastSeen
    }
}
