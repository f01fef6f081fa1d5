import FortAPI
import OutboundHTTP
import PayrelayPrimitives
import SandboxParts

/// Sends transaction feedback until it is acknowledged: up to ten times, ten seconds apart (mobile SDK guide,
/// 6.8.3).
typealias FeedbackSender = MessageSender<FeedbackSettings>

extension FeedbackSender {
    /// Queues messages. ``run()`` sends them.
    ///
    /// - Parameter signed: a function that signs the parameters of a message.
    func send(_ messages: [FeedbackMessage], signed: (JSONObject) -> JSONObject) {
        guard let settings else { return }
        for message in messages {
            guard let url = settings.url(for: message.kind) else { continue }
            send(after: message.delay, at: settings.pace, acknowledgedBy: Self.isAcknowledgement) {
                OutboundRequest(
                    url: url.url, headers: [(name: "Content-Type", value: settings.format.contentType)],
                    body: settings.format.encoded(signed(message.parameters)), timeout: .seconds(10))
            }
        }
    }

    /// Whether an answer acknowledges the message: 2xx or 302.
    private static var isAcknowledgement: Acknowledgement {
        { (200..<300).contains($0.status) || $0.status == 302 }
    }
}
