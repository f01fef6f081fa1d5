import PayrelayPrimitives

/// The names under which a listener may be asked.
///
/// A web page can give its own name the listener's address (DNS rebinding): its requests then are of the same origin for the
/// browser, and carry the page's name as `Host`. Loopback names and addresses cannot be rebound; neither can the address at which
/// the connection arrived.
public struct AllowedHosts: Sendable, Equatable {
    /// Nil for any.
    private let names: Set<String>?

    /// Every name. For listeners whose clients authenticate with credentials that a browser does not send by itself.
    public static let any = AllowedHosts(names: nil)

    /// Loopback names, the address at which a connection arrived, and these.
    public init(_ names: [String] = []) {
        self.names = Set(names.compactMap { Authority(Self.bracketed($0))?.host })
    }

    private init(names: Set<String>?) {
        self.names = names
    }

    /// Whether the text names a host, without a port.
    public static func isHost(_ text: String) -> Bool {
        Authority(bracketed(text)).map { $0.port == nil } ?? false
    }

    /// - Parameters:
    ///   - authority: the request's; nil where it has none, as no browser sends it.
    ///   - localAddress: at which the connection arrived.
    func contain(_ authority: String?, localAddress: () -> String?) -> Bool {
        guard let names, let authority else { return true }
        guard let host = Authority(authority)?.host else { return false }
        if names.contains(host) || IPAddress.isLoopback(host: host) { return true }
        guard let address = IPAddress(host) else { return false }
        return names.contains { IPAddress($0) == address } || localAddress().flatMap { IPAddress($0) } == address
    }

    private static func bracketed(_ name: String) -> String {
        name.has(":") && !name.begins(with: "[") ? "[\(name)]" : name
    }
}
