import HTTPListener
package import PaymentRelay
import PayrelayAPI
import PayrelayPrimitives
import RelayServer

/// Receives unsolicited messages of a gateway. A message proves nothing: the relay queries the gateway. A gateway
/// repeats a message that is not acknowledged, so none is acknowledged before the query is durably recorded.
package struct HintReceiver: Sendable {
    let relay: PaymentRelay
    /// The gateway's name, for people.
    let title: String
    /// The rate limit of gateway queries that the messages from one address may cause. It bounds the load on the gateway if a client repeats
    /// its own genuine messages, or makes others of them.
    private let rate = RateLimit<PeerNetwork>(perSecond: 50)

    package init(relay: PaymentRelay, title: String) {
        self.relay = relay
        self.title = title
    }

    /// - Parameters:
    ///   - hint: nil if the message is about no payment.
    ///   - address: the sender's.
    /// - Returns: the outcome, for the log.
    /// - Throws: ``Problem`` if it is to be sent again; then nothing was recorded.
    package func receive(
        _ hint: GatewayHint?, kind: FeedbackKind, from address: String?
    ) async throws -> HintReception {
        guard let hint else { return .aboutNoPayment }
        if try await recorded({ () async throws(JournalError) in try await relay.knows(hint) }) { return .known }
        if let address, let wait = rate.count(PeerNetwork(address: address)) {
            throw Problem(
                .tooManyRequests,
                "This address sends more messages than \(title) is asked about for it. Send it again.",
                retryAfterSeconds: wait)
        }
        if try await recorded({ () async throws(JournalError) in try await relay.record(hint, kind: kind) }) {
            return .recorded
        }
        throw Problem(
            .tooBusy, "\(title) is asked about each message first. Send it again.", retryAfterSeconds: 10)
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
    /// It is about a status query, a token, or a reference that the gateway cannot have.
    case aboutNoPayment = "about_no_payment"
    /// The journal has its content already.
    case known
    /// It is recorded, and the gateway is queried.
    case recorded
}
