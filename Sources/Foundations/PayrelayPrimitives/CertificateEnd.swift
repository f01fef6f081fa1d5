#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The expiry of a configured certificate, for the metrics, `/ready`, the console and configuration checks.
public struct CertificateEnd: Hashable, Sendable {
    /// The use of the certificate. The raw values are metric labels.
    public enum Kind: String, CaseIterable, Sendable {
        /// The certificate of the public listener.
        case listener
        /// The certificate of the admin listener.
        case adminListener = "admin_listener"
        /// The client certificate for Apple's session hosts.
        case merchantIdentity = "merchant_identity"
        /// The certificate for which Apple encrypts tokens. The gateway has its key.
        case paymentProcessing = "payment_processing"
    }

    public let kind: Kind
    /// The subject's distinguished name, in the form of RFC 2253.
    public let subject: String
    /// The SHA-256 of the public key (X.509 SubjectPublicKeyInfo in DER).
    public let publicKeyHash: Base64Text
    public let notAfter: Date
    /// The day on which a token for the certificate was last seen; `nil` if none was seen, and for other kinds.
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
    /// The document for programs, with times in RFC 3339.
    public var json: JSON {
        var json: JSONObject = [
            "kind": .string(kind.rawValue), "subject": .string(subject), "public_key_hash": .string(publicKeyHash.text),
            "not_after": .string(notAfter.rfc3339),
        ]
        json["last_seen"] = lastSeen.map { .string($0.text) }
        return .object(json)
    }
}
