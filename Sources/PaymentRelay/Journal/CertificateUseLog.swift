public import PayrelayPrimitives

/// For each payment processing certificate the last day on which an instance saw a token for it, so that a renewal can be
/// watched. Nothing about money depends on it.
public protocol CertificateUseLog: Sendable {
    /// Notes that a token was seen on that day. An earlier day does not replace a later one.
    func recordCertificateUse(_ use: CertificateUse) async throws(JournalError)

    /// The last day for each certificate, the latest first; at most ``CertificateUse/limit``. Rows that no version of this code
    /// wrote are left out.
    func certificateUse() async throws(JournalError) -> [CertificateUse]
}

/// When a token for a payment processing certificate was last seen.
public struct CertificateUse: Hashable, Sendable {
    /// SHA-256 of the certificate's public key (X.509 SubjectPublicKeyInfo in DER), 32 bytes.
    public let publicKeyHash: Base64Text
    public let lastSeen: CalendarDay

    /// How many certificates are read: far more than one merchant has had.
    public static let limit = 256

    public init(publicKeyHash: Base64Text, lastSeen: CalendarDay) {
        self.publicKeyHash = publicKeyHash
        self.lastSeen = lastSeen
    }

    /// Reads a journal's row; nil for one that no version of this code wrote.
    public init?(publicKeyHash text: String, lastSeenDay number: Int) {
        guard let hash = try? Base64Text(text), hash.bytes.count == 32, let day = CalendarDay(daysSince1970: number)
        else {
            return nil
        }
        self.init(publicKeyHash: hash, lastSeen: day)
    }
}
