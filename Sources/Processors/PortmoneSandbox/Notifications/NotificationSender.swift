import OutboundHTTP
import PayrelayPrimitives
import SandboxParts
import Synchronization

/// Posts notifications until they are acknowledged: up to ten times. No public source says how often Portmone tries.
final class NotificationSender: Sendable {
    private let sender: MessageSender
    private let kept = Mutex<NotificationSettings?>(nil)

    /// - Parameter interval: between two tries.
    init(interval: Duration) {
        sender = MessageSender(interval: interval)
    }

    /// Nil sends nothing. Notifications in flight keep their URLs.
    var settings: NotificationSettings? {
        get { kept.withLock { $0 } }
        set {
            kept.withLock { kept in
                kept = newValue
                sender.restartCopies()
            }
        }
    }

    var counts: MessageSender.Counts { sender.counts }

    /// Sends what is to be sent, until the task is cancelled or its service group shuts down. Runs once.
    func run() async { await sender.run() }

    /// Notifies of a charge that has come to an end, where that is configured.
    func sendAfterCharge(_ bill: PortmoneBill) {
        guard let settings, settings.isSentAfterCharges, bill.status != .created else { return }
        send(PortmoneNotification(bill), settings)
    }

    func send(_ notification: PortmoneNotification, _ settings: NotificationSettings) {
        let isJSON = settings.format == .json
        sender.send(at: settings.pace, acknowledgedBy: isJSON ? Self.isJSONAcknowledgement : Self.isOK) {
            OutboundRequest(
                url: settings.url,
                headers: [
                    (name: "Content-Type", value: isJSON ? "application/json" : "application/x-www-form-urlencoded")
                ], body: notification.body(settings.format), timeout: .seconds(10))
        }
    }

    /// The status 200, and an object with the `errorCode` 0.
    private static let isJSONAcknowledgement: MessageSender.Acknowledgement = { answer in
        answer.status == 200 && (try? JSON(parsing: answer.body))?["errorCode"] == "0"
    }

    /// The status 200, and `OK`.
    private static let isOK: MessageSender.Acknowledgement = { answer in
        answer.status == 200 && String(decoding: answer.body, as: UTF8.self).trimmed.isExactly("OK")
    }
}
