import PayrelayPrimitives

extension PortmoneBill {
    /// Returns the bill as the books show it, with amounts as numbers in minor units.
    ///
    /// - Parameter chargeRequests: the number of valid requests to charge the bill's order.
    func bookEntry(chargeRequests: Int) -> JSON {
        [
            "shop_bill_id": .string(shopBillId), "shop_order_number": .string(shopOrderNumber),
            "payee_id": .string(payeeId), "status": .string(status.rawValue), "amount": JSON(amount),
            "currency": .string(currency.code), "charged": .bool(isCharged), "paid_amount": JSON(paid),
            "returned_amount": JSON(returned), "voided": .bool(isVoided),
            "captures": JSON(captures), "returns": JSON(returns.count),
            "charge_requests": JSON(chargeRequests),
        ]
    }
}
