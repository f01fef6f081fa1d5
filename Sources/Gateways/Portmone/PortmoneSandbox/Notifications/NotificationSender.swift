import OutboundHTTP
import PayrelayPrimitives
import SandboxParts

/// Sends notifications until they are acknowledged: up to ten times. No public source says how many attempts
/// Portmone makes.
typealias NotificationSender = MessageSender<NotificationSettings>

extension NotificationSender {
    /// Sends a notification about a charge that has ended, if the settings say so.
    func sendAfterCharge(_ bill: PortmoneBill) {
        guard let settings, settings.isSentAfterCharges, bill.status != .created else { return }
        send(PortmoneNotification(bill), settings)
    }

    func send(_ notification: PortmoneNotification, _ settings: NotificationSettings) {
        let isJSON = settings.format == .json
        send(at: settings.pace, acknowledgedBy: isJSON ? Self.isJSONAcknowledgement : Self.isOK) {
            OutboundRequest(
                url: settings.url,
                headers: [
                    (name: "Content-Type", value: isJSON ? "application/json" : "application/x-www-form-urlencoded")
                ], body: notification.body(settings.format), timeout: .seconds(10))
        }
    }

    /// Whether an answer acknowledges a JSON notification: status 200, and an object with the `errorCode` 0.
    private static var isJSONAcknowledgement: Acknowledgement {
        { $0.status == 200 && (try? JSON(parsing: $0.body))?["errorCode"] == "0" }
    }

    /// Whether an answer acknowledges an XML notification: status 200 and the text `OK`.
    private static var isOK: Acknowledgement {
        { $0.status == 200 && String(decoding: $0.body, as: UTF8.self).trimmed.isExactly("OK") }
    }
}
