public import HTTPTypes
import PayrelayPrimitives

/// Why a request is rejected because of its origin or its host.
public enum CrossSiteError: Error, Equatable, CustomStringConvertible {
    /// `Host` or `:authority` is not one of the listener's names.
    case foreignHost
    /// A web page of another origin sent the request.
    case crossSite

    public var description: String {
        switch self {
        case .foreignHost: "this listener does not answer under that host name"
        case .crossSite: "a web page of another origin may not send this"
        }
    }
}

/// A rule that detects requests which a foreign web page sends through a browser. Pure.
///
/// Browsers mark such requests with `Sec-Fetch-Site` (W3C Fetch Metadata); older browsers mark them with `Origin`
/// (RFC 6454). A page can set neither field. Clients that are not browsers send neither field.
public struct CrossSiteRule: Sendable {
    private let hosts: AllowedHosts
    /// Whether the listener speaks TLS. If so, its own pages are loaded over TLS, too.
    private let isTLS: Bool

    public init(hosts: AllowedHosts, isTLS: Bool = false) {
        self.hosts = hosts
        self.isTLS = isTLS
    }

    /// Checks that no foreign web page can have sent the request.
    ///
    /// - Parameters:
    ///   - hasAnyHost: whether the route accepts every host name, because it answers every client alike or
    ///     authenticates each message by its signature.
    ///   - localAddress: returns the address at which the connection arrived. Called only if it matters.
    /// - Throws: ``CrossSiteError`` if a foreign web page could have sent the request.
    public func check(
        _ request: HTTPRequest, hasAnyHost: Bool = false, localAddress: () -> String?
    ) throws(CrossSiteError) {
        guard hasAnyHost || hosts.contain(request.authority, localAddress: localAddress) else { throw .foreignHost }
        guard Self.safeMethods.contains(request.method) || isOwn(request) else { throw .crossSite }
    }

    private func isOwn(_ request: HTTPRequest) -> Bool {
        let sites = request.headerFields[values: .secFetchSite]
        if !sites.isEmpty { return sites == ["same-origin"] || sites == ["none"] }
        let origins = request.headerFields[values: .origin]
        guard let origin = origins.first else { return true }
        return origins.count == 1 && isOwn(origin: origin, of: request.authority)
    }

    /// Whether the origin, such as `https://pay.example`, matches the authority, such as `pay.example` or
    /// `pay.example:443`. Without TLS on the listener, both schemes are accepted, since a proxy may have
    /// terminated TLS.
    private func isOwn(origin: String, of authority: String?) -> Bool {
        let schemes = isTLS ? [("https://", 443)] : [("https://", 443), ("http://", 80)]
        for (prefix, standardPort) in schemes {
            guard let name = origin.after(prefix) else { continue }
            guard let page = Authority(name), let own = authority.flatMap({ Authority($0) })
            else { return false }
            return page.host == own.host && (page.port ?? standardPort) == (own.port ?? standardPort)
        }
        return false
    }

    /// The safe methods (RFC 9110, 9.2.1).
    private static let safeMethods: Set<HTTPRequest.Method> = [.get, .head, .options, .trace]
}

extension HTTPField.Name {
    // swift-format-ignore: NeverForceUnwrap
    // Safe: a literal of RFC 9110 token characters.
    fileprivate static let secFetchSite = HTTPField.Name("Sec-Fetch-Site")!
}
