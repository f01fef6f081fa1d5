import FortEndpoints
public import Logging
import Observability
import OutboundHTTP
public import PaymentRelay

/// The relay for a command that runs beside the service: it works on the same journal and asks the same FORT, and has no listener and
/// no service of its own.
public struct DetachedRelay {
    public let relay: PaymentRelay
    private let outbound: OutboundClient

    public init(_ configuration: RelayConfiguration, journal: any Journal, logger: Logger) {
        outbound = OutboundClient()
        let fort = FortConnection(
            accounts: configuration.fortAccounts, endpoint: configuration.fortEndpoint,
            timeout: configuration.fortTimeout, limits: configuration.fortLimits, transport: outbound,
            registry: MetricsRegistry(), logger: logger)
        relay = PaymentRelay(
            policy: configuration.policy, journal: journal, processor: fort.processor, logger: logger)
    }

    /// Ends what is under way.
    public func shutdown() { outbound.shutdown() }
}
