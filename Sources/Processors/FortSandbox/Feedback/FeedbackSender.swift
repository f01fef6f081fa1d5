import FortAPI
import OutboundHTTP
import PayrelayPrimitives
import SandboxParts
import Synchronization

/// Posts transaction feedback until it is acknowledged: up to ten times, ten seconds apart (mobile SDK guide, 6.8.3).
final class FeedbackSender: Sendable {
    typealias Counts = MessageSender.Counts

    private let sender: MessageSender
    private let kept = Mutex<FeedbackSettings?>(nil)

    /// - Parameter interval: between two tries.
    init(interval: Duration) {
        sender = MessageSender(interval: interval)
    }

    /// Nil sends nothing. Messages in flight keep their URLs.
    var settings: FeedbackSettings? {
        get { kept.withLock { $0 } }
        set {
            kept.withLock { kept in
                kept = newValue
                sender.restartCopies()
            }
        }
    }

    var counts: Counts { sender.counts }

    /// Takes messages to send; ``run()`` sends them.
    ///
    /// - Parameter signed: signs the parameters of a message.
    func send(_ messages: [FeedbackMessage], signed: (JSONObject) -> JSONObject) {
        guard let settings else { return }
        for message in messages {
            guard let url = settings.url(for: message.kind) else { continue }
            sender.send(after: message.delay, at: settings.pace, acknowledgedBy: Self.isAcknowledgement) {
                OutboundRequest(
                    url: url.url, headers: [(name: "Content-Type", value: settings.format.contentType)],
                    body: settings.format.encoded(signed(message.parameters)), timeout: .seconds(10))
            }
        }
    }

    /// 2xx or 302.
    private static let isAcknowledgement: MessageSender.Acknowledgement = { answer in
        (200..<300).contains(answer.status) || answer.status == 302
    }

    /// Sends what is to be sent, until the task is cancelled or its service group shuts down. Runs once.
    func run() async { await sender.run() }
}
