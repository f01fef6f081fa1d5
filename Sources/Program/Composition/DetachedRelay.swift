import GatewayModule
public import Logging
import Observability
import OutboundHTTP
public import PaymentRelay
import ServiceLifecycle

/// The relay for a command that runs beside the service. It uses the same journal and the same gateways, has its
/// own circuit breakers, and has no listener.
public struct DetachedRelay: Sendable {
    public let relay: PaymentRelay
    private let outbound: OutboundClient
    private let recoveries: [Task<Void, Never>]

    /// - Throws: if requests cannot be made for an account.
    public init(_ configuration: RelayConfiguration, journal: any Journal, logger: Logger) throws {
        let client = OutboundClient()
        let gateways = try configuration.modules.map {
            try $0.connect(over: client, registry: MetricsRegistry(), logger: logger)
        }
        outbound = client
        relay = PaymentRelay(
            policy: configuration.policy, journal: journal,
            gateways: try Gateways(gateways.map(\.gateway), vocabulary: .ofAllGateways),
            logger: logger)
        recoveries = gateways.map { gateway in Task { try? await gateway.recovery.run() } }
    }

    /// Ends everything that is under way.
    public func shutdown() {
        for recovery in recoveries { recovery.cancel() }
        outbound.shutdown()
    }
}
