import FoundationEssentials
import PayrelayPrimitives

/// The allow list of hosts from which sessions are requested. Apple requires "a strict allow list".
///
/// Apple's older hosts, one for each data centre, are no longer on Apple's list and therefore not on this one.
public struct SessionGateway: Hashable, Sendable {
    /// The hosts in lower case, with `:PORT` if the port is not 443. The first one is the static host.
    let authorities: [String]

    /// Apple's hosts for payments.
    public static let production = SessionGateway(authorities: [
        "apple-pay-gateway.apple.com", "cn-apple-pay-gateway.apple.com",
    ])
    /// Apple's hosts for its sandbox. A relay that accepts payments must not use them.
    public static let sandbox = SessionGateway(authorities: [
        "apple-pay-gateway-cert.apple.com", "cn-apple-pay-gateway-cert.apple.com",
    ])

    private init(authorities: [String]) {
        self.authorities = authorities
    }

    /// Uses a host on this machine instead of Apple's, for example `127.0.0.1:8083`.
    ///
    /// - Returns: `nil` if the text is not a loopback host with or without a port.
    public init?(loopback text: String) {
        guard let url = SessionURL("https://\(text)/"), url.path == "/",
            IPAddress.isLoopback(host: url.host)
        else { return nil }
        self.init(authorities: [url.authority])
    }

    /// The endpoint of the static host, which Apple recommends: nothing that a page sends decides where to
    /// connect.
    public var staticEndpoint: SessionEndpoint {
        SessionEndpoint(authority: authorities[0], path: .paymentSession)
    }

    /// Returns the endpoint for the page's `event.validationURL`.
    ///
    /// - Throws: ``ValidationURLError`` if the URL is not on the list.
    public func endpoint(validationURL text: String) throws(ValidationURLError) -> SessionEndpoint {
        guard let url = SessionURL(text) else { throw .malformed }
        guard authorities.contains(url.authority) else {
            throw Self.sandbox.authorities.contains(url.authority) ? .sandboxHost : .otherHost(allowed: authorities)
        }
        guard let path = SessionEndpoint.Path(rawValue: url.path) else { throw .otherPath }
        return SessionEndpoint(authority: url.authority, path: path)
    }
}

/// The endpoint of a request for a session. Its URL is composed from the allow list, and only a
/// ``SessionGateway`` creates it, so the service never connects to a text from a client.
public struct SessionEndpoint: Hashable, Sendable {
    public let url: String

    /// The paths that Apple documents. Both take the same body.
    enum Path: String, CaseIterable {
        /// The path of the static host.
        case paymentSession = "/paymentservices/paymentSession"
        /// The path of the URL that Apple Pay JS passes to the page in `event.validationURL`.
        case startSession = "/paymentservices/startSession"
    }

    /// - Parameter authority: a host, with `:PORT` if the port is not 443.
    init(authority: String, path: Path) {
        url = "https://\(authority)\(path.rawValue)"
    }
}

/// An absolute `https` URL that consists only of a host and a path, with characters that all parsers read in the
/// same way.
struct SessionURL {
    /// The host in lower case. An IPv6 address has brackets.
    let host: String
    /// The port; 443 if the URL has none.
    let port: Int
    let path: String

    init?(_ text: String) {
        // In ASCII and without escapes, a host can be written in only one way. "\" is excluded because browsers
        // treat it as "/".
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

/// The reason why no session may be requested at a `validation_url`.
public enum ValidationURLError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text is not an `https` URL, or has a user, a query, a fragment, an escape or a character outside
    /// ASCII.
    case malformed
    case otherHost(allowed: [String])
    /// The host belongs to Apple's sandbox, which the operator has not enabled.
    case sandboxHost
    case otherPath

    /// The requirement on the URL, as the detail of a ``ValidationError``.
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
