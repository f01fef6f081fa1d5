public import PayrelayPrimitives

/// Portmone's `result`: what became of an order's bills, or of one bill. Asking changes nothing.
public struct ResultRequest: PortmoneRequest {
    public let bill: BillName

    public init(_ bill: BillName) {
        self.bill = bill
    }

    /// A question that changes nothing and that Portmone can answer by itself: about an order that does not exist.
    public static let probe = ResultRequest(.order("payrelay-probe"))

    public var method: PortmoneMethod { .result }

    public func data(for account: PortmoneAccount) -> JSONObject {
        JSONObject(account.credentials + [bill.member])
    }
}
