public import Crypto
public import PayrelayPrimitives

/// An Apple Pay payment token, decoded but not yet trusted: ``TokenVerifier`` decides whether Apple signed it.
///
/// This target reads the token in every shape that apps send, and verifies it as Apple's "Payment token format
/// reference" requires. Decoding is strict if the signature depends on it (base64, hex, the header of the
/// version), and tolerant if Apple may add members. Nothing here needs a merchant's private key, and nothing is
/// decrypted: a relay can check only who signed which bytes, and when.
public struct PaymentToken: Hashable, Sendable {
    /// The way in which the payment data is encrypted and signed.
    public enum Version: String, CaseIterable, Sendable {
        /// Elliptic curves; the `header` has an `ephemeralPublicKey`.
        case ecV1 = "EC_v1"
        /// RSA, in regions that do not allow elliptic curves; the `header` has a `wrappedKey`.
        case rsaV1 = "RSA_v1"
    }

    /// The header of the payment data, `paymentData.header`.
    public struct Header: Hashable, Sendable {
        /// The ephemeral public key as an X.509 SubjectPublicKeyInfo in DER; `nil` exactly for RSA_v1.
        public let ephemeralPublicKey: Base64Text?
        /// The symmetric key, wrapped with the merchant's RSA key; `nil` exactly for EC_v1.
        public let wrappedKey: Base64Text?
        /// The SHA-256 of the merchant's public key (X.509 SubjectPublicKeyInfo, DER). Not signed.
        public let publicKeyHash: Base64Text
        /// Apple's identifier of the payment.
        public let transactionId: HexText
        /// The SHA-256 of the payment request's `applicationData`; `nil` if the app set none.
        public let applicationData: HexText?
    }

    public let version: Version
    /// The encrypted payment data, with its authentication tag in the last 16 bytes.
    public let data: Base64Text
    /// A detached CMS SignedData (RFC 5652) in BER.
    public let signature: Base64Text
    public let header: Header
    public let paymentMethod: PaymentMethod?
    /// The same identifier as `header.transactionId`, often in upper case. Not signed.
    public let transactionIdentifier: String?
    /// The SHA-256 of ``signedContent``, which is the payment's identity. It stays the same if the token is
    /// written in another shape, or if someone changes the ECDSA signature into its equally valid twin.
    public let digest: SHA256Digest

    init(
        version: Version, data: Base64Text, signature: Base64Text, header: Header, paymentMethod: PaymentMethod?,
        transactionIdentifier: String?
    ) {
        self.version = version
        self.data = data
        self.signature = signature
        self.header = header
        self.paymentMethod = paymentMethod
        self.transactionIdentifier = transactionIdentifier
        digest = Self.digest(of: data, header)
    }
}

extension PaymentToken {
    /// The `transactionIdentifier` of every token from the iOS Simulator.
    public static let simulatedIdentifier = "Simulated Identifier"

    /// The content that the signature covers (Apple's step 1.d): the decoded bytes of `ephemeralPublicKey`
    /// (EC_v1) or `wrappedKey` (RSA_v1), `data`, `transactionId` and `applicationData`, in this order.
    public var signedContent: [UInt8] { Self.signedParts(data, header).flatMap { $0 } }

    /// Returns the digest of the signed content without copying the content.
    static func digest(of data: Base64Text, _ header: Header) -> SHA256Digest {
        var digest = SHA256()
        for part in signedParts(data, header) {
            part.withUnsafeBytes { digest.update(bufferPointer: $0) }
        }
        return digest.finalize()
    }

    private static func signedParts(_ data: Base64Text, _ header: Header) -> [[UInt8]] {
        let key = header.ephemeralPublicKey ?? header.wrappedKey
        return [key?.bytes ?? [], data.bytes, header.transactionId.bytes, header.applicationData?.bytes ?? []]
    }
}

extension PaymentToken: CustomStringConvertible, CustomReflectable {
    /// The text for logs: the payment's identity, and nothing with which someone could pay.
    public var description: String {
        "PaymentToken(\(version.rawValue), SHA-256 \(HexText(encoding: Array(digest)).text))"
    }

    /// A mirror without children, so that neither `dump` nor a debug description shows the token.
    public var customMirror: Mirror {
        Mirror(self, children: [])
    }
}
