import HTTPListener
package import PaymentRelay
import PayrelayAPI
import PayrelayPrimitives
import RelayServer

/// Receives unsolicited messages from a gateway. A message proves nothing, so the relay queries the gateway. A
/// gateway repeats a message that is not acknowledged, so a message is acknowledged only after the pending query
/// is durably recorded.
package struct HintReceiver: Sendable {
    let relay: PaymentRelay
    /// The gateway's name, for people.
    let title: String
    /// The rate limit for the gateway queries that messages from one address may cause. It bounds the load on the
    /// gateway if a client repeats genuine messages or modifies them.
    private let rate = RateLimit<PeerNetwork>(perSecond: 50)

    package init(relay: PaymentRelay, title: String) {
        self.relay = relay
        self.title = title
    }

    /// Records the content of a message, so that the relay queries the gateway.
    ///
    /// - Parameters:
    ///   - hint: the content of the message; `nil` if it is not about a payment.
    ///   - address: the sender's address.
    /// - Returns: the outcome, for the log.
    /// - Throws: ``Problem`` if the gateway must send the message again. Nothing was recorded then.
    package func receive(
        _ hint: GatewayHint?, kind: FeedbackKind, from address: String?
    ) async throws -> HintReception {
        guard let hint else { return .aboutNoPayment }
        if try await recorded({ () async throws(JournalError) in try await relay.knows(hint) }) { return .known }
        if let address, let wait = rate.count(PeerNetwork(address: address)) {
            throw Problem(
                .tooManyRequests,
                "This address sends more messages than \(title) is queried about. Send it again.",
                retryAfterSeconds: wait)
        }
        if try await recorded({ () async throws(JournalError) in try await relay.record(hint, kind: kind) }) {
            return .recorded
        }
        throw Problem(
            .tooBusy, "\(title) is queried about each message first. Send it again.", retryAfterSeconds: 10)
    }

    private func recorded(_ ask: () async throws(JournalError) -> Bool) async throws -> Bool {
        do throws(JournalError) {
            return try await ask()
        } catch {
            if case .unreadable = error { throw error }
            throw Problem(.journalUnavailable, "It changed nothing. Send it again.", retryAfterSeconds: 1)
        }
    }
}

/// The outcome of receiving a message.
package enum HintReception: String, Sendable {
    /// The message is about a status query, a token, or a reference that the gateway cannot have.
    case aboutNoPayment = "about_no_payment"
    /// The journal already has the content of the message.
    case known
    /// The message is recorded, and the gateway is queried.
    case recorded
}
