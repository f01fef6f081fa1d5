public import Console
import GatewayModule
public import HTTPListener
public import OutboundHTTP
public import RelayServer

/// The routes, console pages and Simulator tokens that `payrelay-dev` adds to a relay. No setting enables it, and
/// it requires that all gateways are sandboxes of this process.
public struct DevelopmentExtension: Sendable {
    let sandboxes: [SandboxAddress]
    let routes: [Route]
    let simulatorTokens: SimulatorTokens
    let pages: [GatewayPages]
    let orderTokens: AccessPolicy?
    private let observePayment: @Sendable (RelayRequest, Answer) -> Void

    /// - Parameters:
    ///   - sandboxes: the relay's gateways.
    ///   - routes: the routes in addition to the relay's own.
    ///   - simulatorTokens: mints the tokens that replace the iOS Simulator's token.
    ///   - pages: the console pages about the sandboxes.
    ///   - orderTokens: verifies the order tokens of clients if clients need not authenticate.
    ///   - observePayment: called with each request to pay or to read a payment, and its response. Must not
    ///     block.
    public init(
        sandboxes: [SandboxAddress], routes: [Route], simulatorTokens: SimulatorTokens, pages: [GatewayPages] = [],
        orderTokens: AccessPolicy? = nil,
        observePayment: @escaping @Sendable (RelayRequest, Answer) -> Void = { _, _ in }
    ) {
        self.sandboxes = sandboxes
        self.routes = routes
        self.simulatorTokens = simulatorTokens
        self.pages = pages
        self.orderTokens = orderTokens
        self.observePayment = observePayment
    }

    /// Checks that every gateway of the relay is a sandbox of this process.
    func check(_ modules: [any GatewayModule]) throws(NotTheSandbox) {
        for module in modules where !sandboxes.contains(where: { $0.endpoint == module.endpoint }) {
            throw NotTheSandbox(endpoint: module.endpoint)
        }
    }

    func observed(_ route: Route) -> Route {
        let isPayment = route.path == "/v1/payments" || route.path == "/v1/payments/{merchant_reference}"
        return isPayment ? route.observed(by: observePayment) : route
    }
}

/// The error if a gateway of the relay is not a sandbox of this process, so that the relay cannot have a
/// development extension.
public struct NotTheSandbox: Error, Equatable, CustomStringConvertible {
    public let endpoint: GatewayEndpoint

    public var description: String { "\(endpoint) is not a sandbox of this process" }
}
