import FortAPI
import OutboundHTTP
import ServiceLifecycle

/// Asks FORT a question that changes nothing about each account that nobody else has asked for a while: a FORT that is gone, or a phrase
/// that is wrong, is seen before a customer meets it.
struct AccountProbe: Service {
    let availability: FortAvailability
    let transport: any FortTransport
    let endpoint: FortEndpoint
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

    /// Asks about those that are due, and returns once all have answered or have not.
    func askDue() async {
        await withTaskGroup(of: Void.self) { group in
            for entry in availability.takeDue() {
                group.addTask { await ask(about: entry) }
            }
        }
    }

    private func ask(about entry: FortAccounts.Entry) async {
        let client = FortClient(account: entry.account, endpoint: endpoint, transport: transport, observe: observe)
        do {
            _ = try await client.send(try FortMessage.probe(for: entry.account), timeout: timeout)
        } catch let FortFailure.outbound(failure) {
            if case .notSent = failure { availability.observeUnsentQuestion(about: entry) }
        } catch {
            // The observer has it.
        }
    }
}
