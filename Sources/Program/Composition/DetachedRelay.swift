import FortEndpoints
public import Logging
import Observability
import OutboundHTTP
public import PaymentRelay
import ServiceLifecycle

/// The relay for a command that runs beside the service: it works on the same journal and asks the same FORT, with a circuit breaker of
/// its own, and has no listener.
public struct DetachedRelay: Sendable {
    public let relay: PaymentRelay
    private let outbound: OutboundClient
    private let probe: Task<Void, Never>

    /// - Throws: where no request can be made for the first account.
    public init(_ configuration: RelayConfiguration, journal: any Journal, logger: Logger) throws {
        outbound = OutboundClient()
        let fort = FortConnection(
            accounts: configuration.fortAccounts, endpoint: configuration.fortEndpoint,
            timeout: configuration.fortTimeout, limits: configuration.fortLimits, transport: outbound,
            registry: MetricsRegistry(), logger: logger)
        relay = PaymentRelay(
            policy: configuration.policy, journal: journal, processor: fort.processor, logger: logger)
        let service = try fort.circuitBreakerProbe()
        probe = Task { try? await service.run() }
    }

    /// Ends what is under way.
    public func shutdown() {
        probe.cancel()
        outbound.shutdown()
    }
}
