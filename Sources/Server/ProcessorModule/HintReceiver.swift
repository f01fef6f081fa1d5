import HTTPListener
package import PaymentRelay
import PayrelayAPI
import PayrelayPrimitives
import RelayServer
import Synchronization

/// Takes what a gateway says without being asked. It proves nothing: the relay asks the gateway. A gateway repeats what is not
/// acknowledged, so nothing is acknowledged before it is durable that it is asked.
package struct HintReceiver: Sendable {
    let relay: PaymentRelay
    /// The gateway's, for people.
    let title: String
    private let rate = QuestionRate()

    package init(relay: PaymentRelay, title: String) {
        self.relay = relay
        self.title = title
    }

    /// - Parameters:
    ///   - hint: nil where the message is about no payment.
    ///   - address: of who sent it.
    /// - Returns: what became of it, for the log.
    /// - Throws: ``Problem`` where it is to be sent again; then nothing was recorded.
    package func receive(
        _ hint: ProcessorHint?, kind: FeedbackKind, from address: String?
    ) async throws -> HintReception {
        guard let hint else { return .aboutNoPayment }
        if try await recorded({ () async throws(JournalError) in try await relay.knows(hint) }) { return .known }
        if let wait = rate.count(address) {
            throw Problem(
                .tooManyRequests,
                "This address sends more messages than \(title) is asked about for it. Send it again.",
                retryAfterSeconds: wait)
        }
        if try await recorded({ () async throws(JournalError) in try await relay.receive(hint, kind: kind) }) {
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

/// What became of a message.
package enum HintReception: String, Sendable {
    /// It is about a status query, a token, or a reference that the gateway cannot have.
    case aboutNoPayment = "about_no_payment"
    /// It says what is known.
    case known
    /// The gateway is asked.
    case recorded
}

/// How many questions to a gateway the messages from one address may lead to: a client that repeats its own genuine messages, or makes
/// others of them, takes no more of the gateway's time than that.
package final class QuestionRate: Sendable {
    package static let perSecond = 50

    private let rate = Mutex(RequestRate<PeerNetwork>(perSecond: perSecond))
    private let start = ContinuousClock.now

    package init() {}

    /// Counts a question.
    ///
    /// - Returns: nil where it may be asked, otherwise after how many seconds the next one may.
    package func count(_ address: String?) -> Int? {
        guard let address else { return nil }
        let now = start.duration(to: .now)
        return rate.withLock { $0.count(PeerNetwork(address: address), at: now) }
            .map { Int(($0.milliseconds / 1_000).rounded(.up)) }
    }
}
