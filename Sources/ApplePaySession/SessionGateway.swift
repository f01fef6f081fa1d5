import FoundationEssentials

/// The hosts that sessions may be asked for at, and no other: Apple asks for "a strict allow list".
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
            ["localhost", "127.0.0.1", "[::1]"].contains(url.host)
        else { return nil }
        self.init(authorities: [url.authority])
    }

    /// The static host's, which Apple recommends: nothing that a page sends chooses where to connect.
    public var staticEndpoint: SessionEndpoint {
        SessionEndpoint(authority: authorities[0], path: .paymentSession)
    }

    /// The one that the page was told in `event.validationURL`.
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
