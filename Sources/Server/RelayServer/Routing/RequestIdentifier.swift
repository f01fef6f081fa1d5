import HTTPTypes
import Observability
import PayrelayPrimitives

/// The rule for a request's identifier. The client's `X-Request-Id` is used, so that the logs of both sides can
/// be matched. If it is too long, or has characters other than letters, digits and a few punctuation marks,
/// payrelay creates an identifier.
enum RequestIdentifier {
    /// The maximum length in characters. The identifier appears in log lines and in the journal.
    private static let longest = 64

    /// Returns the client's identifier if it can be used, or a new one.
    static func of(_ head: HTTPRequest) -> String {
        if let sent = head.headerFields[.requestIdentifier], isUsable(sent) { return sent }
        return next()
    }

    /// Returns a new identifier of 32 hex digits.
    static func next() -> String { TraceIdentifiers.next(bytes: 16) }

    private static func isUsable(_ identifier: String) -> Bool {
        (1...longest).contains(identifier.utf8.count)
            && identifier.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "-_.:/+=".utf8.contains($0) }
    }
}
