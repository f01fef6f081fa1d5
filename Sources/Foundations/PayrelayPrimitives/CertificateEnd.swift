#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Expiry of a configured certificate, as listed by the metrics, `/ready`, a console and a check of the set-up.
public struct CertificateEnd: Hashable, Sendable {
    /// The use of the certificate. The raw values are labels of metrics.
    public enum Kind: String, CaseIterable, Sendable {
        /// Shown to clients by the public listener.
        case listener
        /// Shown to operators by the admin listener.
        case adminListener = "admin_listener"
        /// Shown to Apple's session hosts.
        case merchantIdentity = "merchant_identity"
        /// Apple encrypts tokens for it; the gateway has its key.
        case paymentProcessing = "payment_processing"
    }

    public let kind: Kind
    /// The subject's distinguished name, in the form of RFC 2253.
    public let subject: String
    /// SHA-256 of the public key (X.509 SubjectPublicKeyInfo in DER).
    public let publicKeyHash: Base64Text
    public let notAfter: Date
    /// The day on which a token for it was last seen; nil for other kinds, and where none was seen.
    public var lastSeen: CalendarDay?

    public init(kind: Kind, subject: String, publicKeyHash: Base64Text, notAfter: Date, lastSeen: CalendarDay? = nil) {
        self.kind = kind
        self.subject = subject
        self.publicKeyHash = publicKeyHash
        self.notAfter = notAfter
        self.lastSeen = lastSeen
    }
}

extension CertificateEnd {
    /// As programs read it: times as in RFC 3339.
    public var json: JSON {
        var json: JSONObject = [
            "kind": .string(kind.rawValue), "subject": .string(subject), "public_key_hash": .string(publicKeyHash.text),
            "not_after": .string(notAfter.rfc3339),
        ]
        json["last_seen"] = lastSeen.map { .string($0.text) }
        return .object(json)
    }
}
