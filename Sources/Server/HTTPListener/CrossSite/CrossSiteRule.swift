public import HTTPTypes
import PayrelayPrimitives

/// Why a request is refused for where it comes from.
public enum CrossSiteError: Error, Equatable, CustomStringConvertible {
    /// `Host` or `:authority` is not a name of the listener.
    case foreignHost
    /// A web page of another origin sent it.
    case crossSite

    public var description: String {
        switch self {
        case .foreignHost: "this listener is not asked under that host name"
        case .crossSite: "a web page of another origin may not send this"
        }
    }
}

/// Detects requests that a foreign web page sends through a browser. Pure.
///
/// A browser marks them: with `Sec-Fetch-Site` (W3C Fetch Metadata), and older ones with `Origin` (RFC 6454). A page cannot set
/// either. Other clients send neither.
public struct CrossSiteRule: Sendable {
    private let hosts: AllowedHosts
    /// Whether the listener speaks TLS: then a page of its own has come over TLS too.
    private let isTLS: Bool

    public init(hosts: AllowedHosts, isTLS: Bool = false) {
        self.hosts = hosts
        self.isTLS = isTLS
    }

    /// - Parameters:
    ///   - hasAnyHost: whether the route answers every client alike, or authenticates each message by its signature.
    ///   - localAddress: at which the connection arrived. It is asked for where it matters only.
    /// - Throws: where the request is one that a foreign page could have sent.
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

    /// `https://pay.example` against `pay.example` or `pay.example:443`. The scheme is not compared where a proxy may have taken
    /// TLS off.
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

    /// RFC 9110, 9.2.1.
    private static let safeMethods: Set<HTTPRequest.Method> = [.get, .head, .options, .trace]
}

extension HTTPField.Name {
    // swift-format-ignore: NeverForceUnwrap
    // Safe: a literal of RFC 9110 token characters.
    fileprivate static let secFetchSite = HTTPField.Name("Sec-Fetch-Site")!
}
