import FoundationEssentials
import PayrelayPrimitives

/// The allow list of hosts that sessions are requested from. Apple asks for "a strict allow list".
///
/// Its older hosts, one per data centre, are no longer on Apple's list and therefore not on this one.
public struct SessionGateway: Hashable, Sendable {
    /// Hosts in lower case, with `:PORT` where it is not 443; the first is the static one.
    let authorities: [String]

    /// Apple's, for payments.
    public static let production = SessionGateway(authorities: [
        "apple-pay-gateway.apple.com", "cn-apple-pay-gateway.apple.com",
    ])
    /// Apple's, for its sandbox. A relay that takes payments must not know them.
    public static let sandbox = SessionGateway(authorities: [
        "apple-pay-gateway-cert.apple.com", "cn-apple-pay-gateway-cert.apple.com",
    ])

    private init(authorities: [String]) {
        self.authorities = authorities
    }

    /// A host on this machine that stands in for Apple's: `127.0.0.1:8083`.
    ///
    /// - Returns: nil where the text is no loopback host, with a port or without.
    public init?(loopback text: String) {
        guard let url = SessionURL("https://\(text)/"), url.path == "/",
            IPAddress.isLoopback(host: url.host)
        else { return nil }
        self.init(authorities: [url.authority])
    }

    /// The static host's, which Apple recommends: nothing that a page sends chooses where to connect.
    public var staticEndpoint: SessionEndpoint {
        SessionEndpoint(authority: authorities[0], path: .paymentSession)
    }

    /// The endpoint of the page's `event.validationURL`.
    ///
    /// - Throws: ``ValidationURLError`` where it is not on the list.
    public func endpoint(validationURL text: String) throws(ValidationURLError) -> SessionEndpoint {
        guard let url = SessionURL(text) else { throw .malformed }
        guard authorities.contains(url.authority) else {
            throw Self.sandbox.authorities.contains(url.authority) ? .sandboxHost : .otherHost(allowed: authorities)
        }
        guard let path = SessionEndpoint.Path(rawValue: url.path) else { throw .otherPath }
        return SessionEndpoint(authority: url.authority, path: path)
    }
}

/// Where one session is requested: a URL put together from the allow list. Only a ``SessionGateway`` makes one, so no text
/// of a client's is ever connected to.
public struct SessionEndpoint: Hashable, Sendable {
    public let url: String

    /// The paths that Apple documents. Both take the same body.
    enum Path: String, CaseIterable {
        /// Of the static host.
        case paymentSession = "/paymentservices/paymentSession"
        /// Of the URL that Apple Pay JS hands the page in `event.validationURL`.
        case startSession = "/paymentservices/startSession"
    }

    /// - Parameter authority: a host, and `:PORT` where it is not 443.
    init(authority: String, path: Path) {
        url = "https://\(authority)\(path.rawValue)"
    }
}

/// An absolute `https` URL of a host and a path and nothing else, in characters that no two parsers read differently.
struct SessionURL {
    /// In lower case; IPv6 addresses in brackets.
    let host: String
    /// 443 where the URL has none.
    let port: Int
    let path: String

    init?(_ text: String) {
        // Of ASCII alone, and without escapes, a host can be written in one way only. "\" is a "/" to browsers.
        guard text.utf8.allSatisfy({ (0x21..<0x7F).contains($0) && !#"\%"#.utf8.contains($0) }),
            let parts = URLComponents(string: text), parts.scheme?.lowercasedASCII == "https",
            parts.user == nil, parts.password == nil, parts.query == nil, parts.fragment == nil,
            let host = parts.encodedHost?.lowercasedASCII, !host.isEmpty,
            case let port = parts.port ?? 443, (1...65_535).contains(port)
        else { return nil }
        self.host = host
        self.port = port
        path = parts.path
    }

    var authority: String { port == 443 ? host : "\(host):\(port)" }
}

/// Why a `validation_url` is not one that a session may be asked for at.
public enum ValidationURLError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Not an `https` URL, or one with a user, a query, a fragment, an escape or a character outside ASCII.
    case malformed
    case otherHost(allowed: [String])
    /// Apple's sandbox, where the operator did not ask for it.
    case sandboxHost
    case otherPath

    /// As the detail of a ``ValidationError``: what the URL must be.
    public var description: String {
        switch self {
        case .malformed: "must be an https URL of a host and a path, without user, query, fragment or escapes"
        case .otherHost(let allowed): "must have one of these hosts: \(allowed.joined(separator: ", "))"
        case .sandboxHost: "has a host of Apple's sandbox, which is refused unless PAYRELAY_APPLE_PAY_SANDBOX is true"
        case .otherPath:
            "must have one of these paths: "
                + SessionEndpoint.Path.allCases.map(\.rawValue).joined(separator: ", ")
        }
    }
}
