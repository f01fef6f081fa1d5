public import OutboundHTTP
public import PayrelayPrimitives

/// The addresses to which requests to Portmone are sent.
public struct PortmoneEndpoint: Hashable, Sendable, CustomStringConvertible {
    /// The address for `APay`.
    public let charges: GatewayEndpoint
    private let others: GatewayEndpoint

    /// Portmone's production addresses: real money. Published clients send `APay` to `/r3/api/gateway/` and the
    /// other methods to `/gateway/`. Portmone publishes no test environment.
    public static let production = PortmoneEndpoint(
        charges: GatewayEndpoint(known: "https://www.portmone.com.ua/r3/api/gateway/"),
        others: GatewayEndpoint(known: "https://www.portmone.com.ua/gateway/"))

    private init(charges: GatewayEndpoint, others: GatewayEndpoint) {
        self.charges = charges
        self.others = others
    }

    /// Uses one address for every method.
    public init(_ endpoint: GatewayEndpoint) {
        self.init(charges: endpoint, others: endpoint)
    }

    /// Uses Portmone's production addresses if the URL is production's address for `APay`, with the trailing
    /// slash of `/r3/api/gateway/`. Any other URL is used for every method.
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
