import FortAPI
public import PayrelayPrimitives
public import SandboxParts

extension FortSandbox: SandboxOnDesk {
    public static let name = "fort"
    public static let title = "FORT"
    public static let messageAddresses: KeyValuePairs = [
        "direct_url": "Direct feedback", "notification_url": "Notification feedback",
    ]

    public var messages: JSONObject {
        sender.shown((feedback ?? FeedbackSettings(directURL: nil, notificationURL: nil)).json)
    }

    public func setMessages(_ json: JSON?) throws(ValidationErrors) {
        feedback = try json.map { json throws(ValidationErrors) in try FeedbackSettings(json: json) }
    }

    public func newestOrders(limit: Int) async -> [OrderOnDesk] {
        let moment = now()
        return await books.orders(in: books.numbers.suffix(limit)).reversed().map { order in
            let ledger = order.settled(at: moment).ledger
            return OrderOnDesk(
                merchantReference: order.merchantReference, gatewayReference: order.fortID,
                kind: order.command.rawValue, amount: order.amount, currency: order.currency,
                isCharged: order.isCharged, isVoided: ledger.isVoided, captured: ledger.captured,
                refunded: ledger.refunded)
        }
    }
}
