public import Crypto
public import PayrelayPrimitives

/// An Apple Pay payment token, decoded but not yet trusted: ``TokenVerifier`` says whether Apple signed it.
///
/// This room reads the token in every shape that apps send, and verifies it as Apple's "Payment token format
/// reference" asks. Decoding is strict where the signature depends on it (base64, hex, the header that goes with the
/// version) and tolerant where Apple may add members. Nothing here needs a merchant's private key, and nothing
/// decrypts: what a relay can check is who signed which bytes, and when.
public struct PaymentToken: Hashable, Sendable {
    /// How the payment data is encrypted and signed.
    public enum Version: String, CaseIterable, Sendable {
        /// Elliptic curves; `header` has an `ephemeralPublicKey`.
        case ecV1 = "EC_v1"
        /// RSA, in regions where elliptic curves are not allowed; `header` has a `wrappedKey`.
        case rsaV1 = "RSA_v1"
    }

    /// `paymentData.header`.
    public struct Header: Hashable, Sendable {
        /// The ephemeral public key as an X.509 SubjectPublicKeyInfo in DER. Always there for EC_v1, never for RSA_v1.
        public let ephemeralPublicKey: Base64Text?
        /// The symmetric key, wrapped with the merchant's RSA key. Always there for RSA_v1, never for EC_v1.
        public let wrappedKey: Base64Text?
        /// SHA-256 of the merchant's public key (X.509 SubjectPublicKeyInfo, DER). Not signed.
        public let publicKeyHash: Base64Text
        /// Apple's identifier of the payment.
        public let transactionId: HexText
        /// SHA-256 of the payment request's `applicationData`, where the app set one.
        public let applicationData: HexText?
    }

    public let version: Version
    /// The encrypted payment data, with its authentication tag in the last 16 bytes.
    public let data: Base64Text
    /// A detached CMS SignedData (RFC 5652) in BER.
    public let signature: Base64Text
    public let header: Header
    public let paymentMethod: PaymentMethod?
    /// The same as `header.transactionId`, often in upper case. Not signed.
    public let transactionIdentifier: String?
    /// SHA-256 of ``signedContent``: the payment's identity. It stays the same when the token is written in another
    /// shape, and when someone alters the ECDSA signature into its equally valid twin.
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
    /// The `transactionIdentifier` of every token of the iOS Simulator.
    public static let simulatedIdentifier = "Simulated Identifier"

    /// The content that the signature covers: the decoded bytes of `ephemeralPublicKey` (EC_v1) or `wrappedKey`
    /// (RSA_v1), `data`, `transactionId` and `applicationData`, one after another (Apple's step 1.d).
    public var signedContent: [UInt8] { Self.signedParts(data, header).flatMap { $0 } }

    /// The content's digest, without a copy of the content.
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
    /// Only what may be logged: the payment's identity, and nothing that could be charged.
    public var description: String {
        "PaymentToken(\(version.rawValue), SHA-256 \(HexText(encoding: Array(digest)).text))"
    }

    /// Without children, so that neither `dump` nor a debug description shows the token.
    public var customMirror: Mirror {
        Mirror(self, children: [])
    }
}
