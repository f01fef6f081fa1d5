import HTTPTypes
import Observability
import PayrelayPrimitives

/// Takes the client's `X-Request-Id` for the request's identifier, so that both logs can be matched. One that is too long, or has
/// anything but letters, digits and a few signs, is left alone, and the request has an identifier of our own.
enum RequestIdentifier {
    /// In characters. It stands in log lines and in the journal.
    private static let longest = 64

    /// The client's, or one of our own.
    static func of(_ head: HTTPRequest) -> String {
        if let sent = head.headerFields[.requestIdentifier], isUsable(sent) { return sent }
        return next()
    }

    /// 32 hex digits.
    static func next() -> String { TraceIdentifiers.next(bytes: 16) }

    private static func isUsable(_ identifier: String) -> Bool {
        (1...longest).contains(identifier.utf8.count)
            && identifier.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "-_.:/+=".utf8.contains($0) }
    }
}
