import PayrelayPrimitives
import SandboxParts

/// Settings that `/_sandbox/portmone/…` shows and changes.
extension PortmoneSandbox {
    /// As `GET /_sandbox/portmone/charges` has them.
    var chargesAsJSON: JSON { charges.json }

    /// - Parameter json: as `PUT /_sandbox/portmone/charges` takes them.
    /// - Throws: ``ValidationErrors`` with everything that is wrong with them; nothing is changed then.
    func setCharges(_ json: JSON) throws(ValidationErrors) { charges = try ChargeSettings(json: json) }

    /// Sends a notification now.
    ///
    /// - Parameter json: as `POST /_sandbox/portmone/notifications` takes it.
    /// - Returns: the bill that it is about, as the books have it.
    /// - Throws: ``ValidationErrors`` with everything that is wrong with it, or with the bill, where there is none; nothing is sent
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
