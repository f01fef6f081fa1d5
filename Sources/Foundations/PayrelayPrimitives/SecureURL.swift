#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The rule for URLs that operators configure as the target of requests: `https`, or plain `http` to a loopback
/// address, without any other part that such a URL should not have. The outbound client checks the URL again.
public enum SecureURL {
    /// Checks that requests may be sent to the URL.
    ///
    /// - Throws: ``SecureURLError`` with the problem of the URL.
    public static func check(_ text: String, allowsQuery: Bool = false) throws(SecureURLError) {
        guard let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercasedASCII,
            let host = parts.host,
            !host.isEmpty, text.utf8.allSatisfy({ (0x21..<0x7F).contains($0) && $0 != UInt8(ascii: "\\") })
        else { throw .notAURL }
        guard parts.user == nil, parts.password == nil, parts.fragment == nil else { throw .moreThanAnAddress }
        guard allowsQuery || parts.query == nil else { throw .query }
        switch scheme {
        case "https": break
        case "http": guard IPAddress.isLoopback(host: host) else { throw .notEncrypted }
        default: throw .notHTTP
        }
    }
}

/// Why a text is not a URL that requests may be sent to.
public enum SecureURLError: Error, Hashable, Sendable, CustomStringConvertible {
    case notAURL
    case notHTTP
    /// The URL is plain `http` to another machine.
    case notEncrypted
    /// The URL has a user, a password or a fragment.
    case moreThanAnAddress
    case query

    public var description: String {
        switch self {
        case .notAURL: "is not an absolute URL"
        case .notHTTP: "must be an https URL"
        case .notEncrypted: "must be https; plain http is for loopback addresses only"
        case .moreThanAnAddress: "must not have a user, a password or a fragment"
        case .query: "must not have a query"
        }
    }
}
