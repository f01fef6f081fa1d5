import Crypto
import PayrelayPrimitives

/// The SHA-256 of a customer's email, by which payments are searched. Case and surrounding white space do not
/// count.
///
/// The digest has no secret. With access to the journal, a person can test whether it has an email that they
/// already know, until `forget` or retention erases the digest. A secret would have to be configured and be the
/// same on every instance, and it could never be changed without losing every digest. The receipts beside the
/// digest hold the email in clear anyway, until they are erased too.
public struct EmailDigest: Sendable, Hashable {
    /// 32 bytes.
    public let bytes: [UInt8]

    public init(of email: String) {
        bytes = Array(SHA256.hash(data: Array(Self.normalized(email).utf8)))
    }

    /// Reads a digest from a journal; `nil` if the bytes cannot be a SHA-256.
    public init?(bytes: [UInt8]) {
        guard bytes.count == SHA256.byteCount else { return nil }
        self.bytes = bytes
    }

    private static func normalized(_ email: String) -> String {
        // Nearly every email is visible ASCII, which needs no Unicode look-up.
        if email.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) { return email.lowercasedASCII }
        let scalars = email.unicodeScalars
        guard let start = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let end = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return "" }
        return String(scalars[start...end]).lowercased()
    }
}
