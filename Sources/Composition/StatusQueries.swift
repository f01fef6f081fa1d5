import FortEndpoints
import FortProcessor
public import Logging
import OutboundHTTP
public import PaymentRelay

/// Asks FORT about payments beside the relay that serves, on the journal that both have open. It charges nothing: a
/// verified answer settles a payment as it does there.
public struct StatusQueries: Sendable {
    private let relay: PaymentRelay
    private let outbound: OutboundClient

    public init(_ configuration: RelayConfiguration, journal: any Journal, logger: Logger) {
        outbound = OutboundClient()
        let clients = FortClients(
            accounts: configuration.fortAccounts, endpoint: configuration.fortEndpoint, transport: outbound)
        relay = PaymentRelay(
            policy: configuration.policy, journal: journal,
            processor: FortProcessor(clients: clients, timeout: configuration.fortTimeout), logger: logger)
    }

    /// See ``PaymentRelay/PaymentRelay/sync(_:among:by:request:)``. It is a report that has it asked.
    public func sync(_ merchantReference: String) async throws(JournalError) -> Payment? {
        try await relay.sync(merchantReference, by: .report)
    }

    public func shutdown() { outbound.shutdown() }
}
