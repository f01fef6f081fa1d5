import PayrelayPrimitives
import SandboxParts

/// The settings that `/_sandbox/portmone/…` shows and changes.
extension PortmoneSandbox {
    /// The settings of charges, in the answer to `GET /_sandbox/portmone/charges`.
    var chargesAsJSON: JSON { charges.json }

    /// Changes the settings of charges.
    ///
    /// - Parameter json: the body of `PUT /_sandbox/portmone/charges`.
    /// - Throws: ``ValidationErrors`` with every error in the settings. Nothing is changed then.
    func setCharges(_ json: JSON) throws(ValidationErrors) { charges = try ChargeSettings(json: json) }

    /// Sends a notification now.
    ///
    /// - Parameter json: the body of `POST /_sandbox/portmone/notifications`.
    /// - Returns: the bill of the notification, as the books show it.
    /// - Throws: ``ValidationErrors`` with every error in the body, or if there is no such bill. Nothing is sent
    ///   then.
    func notify(_ json: JSON) async throws(ValidationErrors) -> JSON {
        let order = try NotificationOrder(json: json, instead: notifications)
        let found = await books.latest(shopBillId: order.shopBillId, shopOrderNumber: order.shopOrderNumber)
        guard let found else {
            let name = order.shopBillId == nil ? "shop_order_number" : "shop_bill_id"
            throw ValidationErrors([ValidationError(field: name, detail: "is no bill's")])
        }
        sender.send(order.notification(of: found.bill), order.settings)
        return found.bill.bookEntry(chargeRequests: found.chargeRequests)
    }
}
