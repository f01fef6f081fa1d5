public import PayrelayPrimitives

/// Where Portmone takes requests: `https` URLs, or plain `http` ones on this machine (for a sandbox).
public struct PortmoneEndpoint: Hashable, Sendable, CustomStringConvertible {
    private let charges: String
    private let others: String

    /// Portmone's own: real money. Published clients send `APay` to `/r3/api/gateway/` and the other methods to `/gateway/`. Portmone
    /// publishes no test environment.
    public static let production = PortmoneEndpoint(
        charges: "https://www.portmone.com.ua/r3/api/gateway/", others: "https://www.portmone.com.ua/gateway/")

    private init(charges: String, others: String) {
        self.charges = charges
        self.others = others
    }

    /// One URL for every method, the trailing slash of `/r3/api/gateway/` included.
    ///
    /// - Throws: ``SecureURLError``, which says what is wrong with the URL.
    public init(_ url: String) throws(SecureURLError) {
        try SecureURL.check(url)
        self.init(charges: url, others: url)
    }

    public func url(of method: PortmoneMethod) -> String {
        method == .aPay ? charges : others
    }

    public var description: String { charges }
}
