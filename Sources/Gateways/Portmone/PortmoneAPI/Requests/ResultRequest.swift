public import FoundationEssentials
public import PayrelayPrimitives

/// Portmone's `result`: queries the state of an order's bills, or of one bill. The query changes nothing.
public struct ResultRequest: PortmoneRequest {
    public let bill: BillName
    /// The days to query; `nil` for Portmone's default, the last month.
    public let period: ResultPeriod?

    public init(_ bill: BillName, in period: ResultPeriod? = nil) {
        self.bill = bill
        self.period = period
    }

    /// Returns a query about an order that does not exist, to find out whether Portmone answers. Portmone can
    /// answer it without the bank. It has the same form as the queries about payments, so if Portmone rejects
    /// those, it rejects this one, too.
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
