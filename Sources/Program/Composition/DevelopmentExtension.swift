public import Console
public import FortAPI
public import FortSandbox
public import HTTPListener
public import RelayServer

/// What `payrelay dev` adds to a relay. No setting leads here, and a relay has it only where its FORT is a sandbox of this
/// process.
public struct DevelopmentExtension: Sendable {
    let sandbox: SandboxAddress
    let routes: [Route]
    let simulatorTokens: SimulatorTokens
    let desk: SandboxDesk?
    private let observePayment: @Sendable (RelayRequest, WholeResponse) -> Void

    /// - Parameters:
    ///   - sandbox: the relay's FORT.
    ///   - routes: beside the relay's own.
    ///   - simulatorTokens: pays in place of the iOS Simulator's token.
    ///   - desk: what the console shows of the sandbox.
    ///   - observePayment: called with each request to pay or to read a payment, and its response; must not block.
    public init(
        sandbox: SandboxAddress, routes: [Route], simulatorTokens: SimulatorTokens, desk: SandboxDesk? = nil,
        observePayment: @escaping @Sendable (RelayRequest, WholeResponse) -> Void = { _, _ in }
    ) {
        self.sandbox = sandbox
        self.routes = routes
        self.simulatorTokens = simulatorTokens
        self.desk = desk
        self.observePayment = observePayment
    }

    /// Refuses a relay whose FORT is another than the sandbox.
    func check(_ endpoint: FortEndpoint) throws(NotTheSandbox) {
        guard endpoint == sandbox.fortEndpoint else { throw NotTheSandbox(endpoint: endpoint) }
    }

    func observed(_ route: Route) -> Route {
        let isPayment = route.name == "/v1/payments" || route.name == "/v1/payments/{merchant_reference}"
        return isPayment ? route.observed(by: observePayment) : route
    }
}

/// A relay's FORT is not the sandbox of this process, so that nothing of development may be added to it.
public struct NotTheSandbox: Error, Equatable, CustomStringConvertible {
    public let endpoint: FortEndpoint

    public var description: String { "\(endpoint) is not the sandbox of this process" }
}
