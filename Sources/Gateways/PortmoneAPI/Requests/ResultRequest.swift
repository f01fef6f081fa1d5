public import FoundationEssentials
public import PayrelayPrimitives

/// Portmone's `result`: what became of an order's bills, or of one bill. Asking changes nothing.
public struct ResultRequest: PortmoneRequest {
    public let bill: BillName
    /// Nil for the last month, which Portmone takes where it is given none.
    public let period: ResultPeriod?

    public init(_ bill: BillName, in period: ResultPeriod? = nil) {
        self.bill = bill
        self.period = period
    }

    /// A question that changes nothing and that Portmone can answer by itself: about an order that does not exist. It asks as every question
    /// about a payment does, so that a refusal of one is seen here.
    public static func probe(at moment: Date = Date()) -> ResultRequest {
        ResultRequest(.order("payrelay-probe"), in: ResultPeriod(since: moment, at: moment))
    }

    public var method: PortmoneMethod { .result }

    public func data(for account: PortmoneAccount) -> JSONObject {
        var data = JSONObject(account.credentials + [bill.member])
        data["startDate"] = period.map { .string($0.start) }
        data["endDate"] = period.map { .string($0.end) }
        return data
    }
}
