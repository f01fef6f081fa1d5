import FortAPI
public import PayrelayPrimitives
public import SandboxParts

extension FortSandbox: SandboxOnDesk {
    public static let name = "fort"
    public static let title = "FORT"
    public static let messageAddresses: KeyValuePairs = [
        "direct_url": "Direct feedback", "notification_url": "Notification feedback",
    ]

    public var messages: JSONObject { feedbackAsJSON.objectValue ?? [:] }

    public func sendMessages(to addresses: JSONObject) throws(ValidationErrors) {
        feedback = addresses.isEmpty ? nil : try FeedbackSettings(json: .object(addresses))
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
