import Primitives
import FoundationEssentials

/// Where the merchant's backend takes events: an `https` URL, or a plain `http` one on this machine. What connects holds to
/// the same.
public struct WebhookURL: Sendable, Equatable {
    /// May hold a key in its query, and is not to be logged.
    let text: String

    /// - Throws: ``WebhookURLError``, which says what is wrong with the URL.
    public init(_ text: String) throws(WebhookURLError) {
        guard let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(), let host = parts.host,
            !host.isEmpty, text.utf8.allSatisfy({ (0x21..<0x7F).contains($0) && $0 != UInt8(ascii: "\\") })
        else { throw .notAURL }
        guard parts.user == nil, parts.password == nil, parts.fragment == nil else { throw .moreThanAnAddress }
        switch scheme {
        case "https": break
        case "http": guard IPAddress.isLoopback(host: host) else { throw .notEncrypted }
        default: throw .notHTTP
        }
        self.text = text
    }
}

/// Why a text is no ``WebhookURL``.
public enum WebhookURLError: Error, Equatable, Sendable, CustomStringConvertible {
    case notAURL
    case notHTTP
    /// Plain `http` to another machine.
    case notEncrypted
    /// A user, a password or a fragment.
    case moreThanAnAddress

    public var description: String {
        switch self {
        case .notAURL: "is not an absolute URL"
        case .notHTTP: "must be an https URL"
        case .notEncrypted: "must be https; plain http is for loopback addresses only"
        case .moreThanAnAddress: "must not have a user, a password or a fragment"
        }
    }
}
