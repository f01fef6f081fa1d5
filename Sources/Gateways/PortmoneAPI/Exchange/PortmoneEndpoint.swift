public import OutboundHTTP
public import PayrelayPrimitives

/// Where Portmone takes requests.
public struct PortmoneEndpoint: Hashable, Sendable, CustomStringConvertible {
    /// Of charges.
    public let charges: GatewayEndpoint
    private let others: GatewayEndpoint

    /// Portmone's own: real money. Published clients send `APay` to `/r3/api/gateway/` and the other methods to `/gateway/`. Portmone
    /// publishes no test environment.
    public static let production = PortmoneEndpoint(
        charges: GatewayEndpoint(known: "https://www.portmone.com.ua/r3/api/gateway/"),
        others: GatewayEndpoint(known: "https://www.portmone.com.ua/gateway/"))

    private init(charges: GatewayEndpoint, others: GatewayEndpoint) {
        self.charges = charges
        self.others = others
    }

    /// One address for every method.
    public init(_ endpoint: GatewayEndpoint) {
        self.init(charges: endpoint, others: endpoint)
    }

    /// Portmone's own, or one URL for every method, the trailing slash of `/r3/api/gateway/` included.
    ///
    /// - Throws: ``SecureURLError``, which says what is wrong with the URL.
    public init(_ url: String) throws(SecureURLError) {
        let endpoint = try GatewayEndpoint(url)
        self = endpoint == Self.production.charges ? .production : PortmoneEndpoint(endpoint)
    }

    public func address(of method: PortmoneMethod) -> GatewayEndpoint {
        method == .aPay ? charges : others
    }

    public var description: String { charges.url }
}
