import GatewayModule
import PayrelayPrimitives
import RelayServer

/// Checks whether the merchant's backend can be reached at the URL for events. It is sent no event, which it
/// could mistake for a payment's.
struct EventsCheck {
    /// `nil` if no events are sent.
    let webhook: MerchantWebhook?

    func diagnostic() async -> Diagnostic {
        let check = "events"
        guard let webhook else {
            return .unknown(
                check, "no events are sent",
                advice: "Set PAYRELAY_EVENTS_URL, or query every payment whose outcome was uncertain: docs/events.md."
            )
        }
        let (endpoint, status) = await webhook.reach()
        do throws(NoAnswer) {
            let answer = try status.get()
            return .pass(check, "\(endpoint) can be reached: it answers a GET with \(answer). No event was sent")
        } catch {
            return .fail(
                check, "\(endpoint): \(error.reason)",
                advice: "Look at PAYRELAY_EVENTS_URL, DNS, the firewall and the backend's certificate.")
        }
    }
}
