public import PayrelayPrimitives

/// A notification about one bill. It is not signed, so it proves nothing: it is only a reason to query `result`.
public struct PortmoneNotice: Hashable, Sendable, Redacted {
    /// The merchant's reference of the order.
    public let shopOrderNumber: String
    /// Portmone's number of the bill.
    public let shopBillID: String
    /// The bill's status; `nil` if absent or unknown. A bill in a ``BillsDocument`` is always a paid bill.
    public let status: PortmoneStatus?
    /// Portmone's number of the payee; `nil` if the notification does not name it.
    public let payeeID: String?
    /// The amount as it was written, in major units; `nil` if the notification does not state it.
    public let amountText: String?

    /// Creates a notice; `nil` if this service's orders cannot have such a reference. The payee may also be paid
    /// without this service.
    init?(
        shopOrderNumber: String?, shopBillID: String?, status: PortmoneStatus?, payeeID: String?, amountText: String?
    ) throws(PortmoneNotificationError) {
        guard let shopOrderNumber else { throw .incomplete("shopOrderNumber") }
        guard shopOrderNumber.isMerchantReference else { return nil }
        guard let shopBillID, shopBillID.isBillNumber else { throw .incomplete("shopBillId") }
        self.shopOrderNumber = shopOrderNumber
        self.shopBillID = shopBillID
        self.status = status
        self.payeeID = payeeID
        self.amountText = amountText
    }

    public var description: String { "notice of the bill \(shopBillID)" }
}
