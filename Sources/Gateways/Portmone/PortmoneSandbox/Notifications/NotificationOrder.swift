import PayrelayPrimitives

/// A test's request to send a notification about a bill now, with true or forged values.
struct NotificationOrder {
    let shopBillId: String?
    let shopOrderNumber: String?
    let settings: NotificationSettings
    private let forged: [String: String]

    private static let forgeable = ["shop_bill_id", "shop_order_number", "amount", "status", "payee_id"]

    /// Reads the body of `POST /_sandbox/portmone/notifications`.
    ///
    /// - Parameter standing: the settings that apply if the body does not have them.
    /// - Throws: ``ValidationErrors`` with every error in the body.
    init(json: JSON, instead standing: NotificationSettings?) throws(ValidationErrors) {
        var order = JSONFieldReader(
            json, knowing: ["shop_bill_id", "shop_order_number", "forged", "url", "format", "copies"])
        shopBillId = order.text("shop_bill_id", limit: 255)
        shopOrderNumber = order.text("shop_order_number", limit: 255)
        if shopBillId == nil, shopOrderNumber == nil { order.add("shop_order_number", "is missing") }
        var forged: [String: String] = [:]
        if let json = order.value("forged") {
            var members = JSONFieldReader(json, path: "forged", knowing: Set(Self.forgeable))
            for name in Self.forgeable { forged[name] = members.text(name, limit: 255) }
            order.add(members.errors)
        }
        self.forged = forged
        settings = try NotificationSettings.read(&order, instead: standing)
    }

    func notification(of bill: PortmoneBill) -> PortmoneNotification {
        var notification = PortmoneNotification(bill)
        notification.shopBillId = forged["shop_bill_id"] ?? notification.shopBillId
        notification.shopOrderNumber = forged["shop_order_number"] ?? notification.shopOrderNumber
        notification.amount = forged["amount"] ?? notification.amount
        notification.status = forged["status"] ?? notification.status
        notification.payeeId = forged["payee_id"] ?? notification.payeeId
        return notification
    }
}
