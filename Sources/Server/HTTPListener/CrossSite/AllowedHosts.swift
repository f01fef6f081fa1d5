import PayrelayPrimitives

/// The host names under which a listener accepts requests.
///
/// A web page can point its own host name to the listener's address (DNS rebinding). The browser then treats the
/// page's requests as same-origin, and they carry the page's name as `Host`. Loopback names, loopback addresses and
/// the address at which the connection arrived cannot be rebound, so they are always allowed.
public struct AllowedHosts: Sendable, Equatable {
    /// `nil` if every name is allowed.
    private let names: Set<String>?

    /// Allows every name. For listeners whose clients authenticate with credentials that a browser does not send
    /// by itself.
    public static let any = AllowedHosts(names: nil)

    /// Allows loopback names, the address at which a connection arrived, and the given names.
    public init(_ names: [String] = []) {
        self.names = Set(names.compactMap { Authority(Self.bracketed($0))?.host })
    }

    private init(names: Set<String>?) {
        self.names = names
    }

    /// Whether the text is a host without a port.
    public static func isHost(_ text: String) -> Bool {
        Authority(bracketed(text)).map { $0.port == nil } ?? false
    }

    /// Whether requests for the authority are accepted.
    ///
    /// - Parameters:
    ///   - authority: the request's authority. `nil` if it has none, which is accepted because every browser
    ///     sends one.
    ///   - localAddress: returns the address at which the connection arrived.
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
