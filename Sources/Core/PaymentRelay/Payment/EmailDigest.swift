import Crypto
import PayrelayPrimitives

/// SHA-256 of a customer's email, by which payments are searched. Case and the white space around the email do not count.
///
/// It has no secret: who holds the journal can test whether an email that they already know is in it, until `forget` or retention erases
/// the digest. A secret would have to be configured, be the same on every instance, and could never be changed without losing every
/// digest; and the receipts beside it hold the email in clear until they are erased too.
public struct EmailDigest: Sendable, Hashable {
    /// 32 bytes.
    public let bytes: [UInt8]

    public init(of email: String) {
        bytes = Array(SHA256.hash(data: Array(Self.normalized(email).utf8)))
    }

    /// As a journal has it; nil where that is no SHA-256.
    public init?(bytes: [UInt8]) {
        guard bytes.count == SHA256.byteCount else { return nil }
        self.bytes = bytes
    }

    private static func normalized(_ email: String) -> String {
        // Nearly every email is visible ASCII, and nothing has to be looked up for it.
        if email.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) { return email.lowercasedASCII }
        let scalars = email.unicodeScalars
        guard let start = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let end = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return "" }
        return String(scalars[start...end]).lowercased()
    }
}
