import FortAPI
import OutboundHTTP
import ServiceLifecycle
import PayrelayPrimitives

/// Sends CHECK_STATUS, which changes nothing, for each account without recent requests. So an outage of FORT, or a wrong phrase, is seen
/// before the next payment.
struct AccountProbe: Service {
    let availability: FortAvailability
    let transport: any GatewayTransport
    let endpoint: GatewayEndpoint
    let timeout: Duration
    let observe: @Sendable (FortExchange) -> Void

    static let timeout = Duration.seconds(5)

    func run() async {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                await askDue()
                try? await Task.sleep(for: .milliseconds(500))
            }
        }
    }

    /// Asks about each account that is due, and returns when all questions have ended.
    func askDue() async {
        await withTaskGroup(of: Void.self) { group in
            for entry in availability.takeDue() {
                group.addTask { await ask(about: entry) }
            }
        }
    }

    private func ask(about entry: FortAccounts.Entry) async {
        let client = FortClient(account: entry.account, endpoint: endpoint, transport: transport, observe: observe)
        guard let probe = try? FortMessage.probe(for: entry.account) else { return }
        // The observer has the result.
        _ = await client.exchange(probe, timeout: timeout)
    }
}
