import OutboundHTTP
import PayrelayPrimitives
import SandboxParts

/// Posts notifications until they are acknowledged: up to ten times. No public source says how often Portmone tries.
typealias NotificationSender = MessageSender<NotificationSettings>

extension NotificationSender {
    /// Notifies of a charge that has come to an end, where that is configured.
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

    /// The status 200, and an object with the `errorCode` 0.
    private static var isJSONAcknowledgement: Acknowledgement {
        { $0.status == 200 && (try? JSON(parsing: $0.body))?["errorCode"] == "0" }
    }

    /// The status 200, and `OK`.
    private static var isOK: Acknowledgement {
        { $0.status == 200 && String(decoding: $0.body, as: UTF8.self).trimmed.isExactly("OK") }
    }
}
