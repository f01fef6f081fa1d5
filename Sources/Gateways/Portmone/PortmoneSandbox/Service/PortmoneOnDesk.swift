public import PayrelayPrimitives
public import SandboxParts

extension PortmoneSandbox: SandboxOnDesk {
    public static let name = "portmone"
    public static let title = "Portmone"
    public static let messageAddresses: KeyValuePairs = ["url": "Notifications"]

    public var messages: JSONObject { sender.shown(notifications?.json ?? ["url": .null]) }

    public func setMessages(_ json: JSON?) throws(ValidationErrors) {
        notifications = try json.map { json throws(ValidationErrors) in try NotificationSettings(json: json) }
    }

    public func newestOrders(limit: Int) async -> [OrderOnDesk] {
        await carryOutDue()
        return await books.bills(in: books.numbers.suffix(limit)).reversed().map { entry in
            let bill = entry.bill
            return OrderOnDesk(
                merchantReference: bill.shopOrderNumber, gatewayReference: bill.shopBillId,
                kind: bill.status.rawValue, amount: bill.amount, currency: bill.currency.code,
                isCharged: bill.isCharged, isVoided: bill.isVoided, captured: bill.paid, refunded: bill.returned)
        }
    }
}
