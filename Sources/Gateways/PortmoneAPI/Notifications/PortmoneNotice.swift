public import PayrelayPrimitives

/// Notification about one bill. Nothing in it is signed, so it proves nothing: it is a reason to ask `result`.
public struct PortmoneNotice: Hashable, Sendable, Redacted {
    /// The merchant's reference of the order.
    public let shopOrderNumber: String
    /// Portmone's number of the bill.
    public let shopBillID: String
    /// Nil where it says none that is known. A bill in ``BillsDocument`` is one that was paid.
    public let status: PortmoneStatus?
    /// Nil where it does not say.
    public let payeeID: String?
    /// As it is written, in major units; nil where it does not say.
    public let amountText: String?

    /// Nil where the order's number is none that this service's orders have: the payee is paid in other ways, too.
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
