import FoundationEssentials
import PayrelayPrimitives

/// A `result` request: the bills that it queries.
struct StatusQuery {
    let payeeId: String
    let shopOrderNumber: String?
    let shopBillId: String?
    /// The queried status; `nil` for every status.
    private let status: PortmoneBill.Status?
    /// The first and the last day of the query, as ``Date/dayDigits``.
    private let days: ClosedRange<String>
    /// The period of a query without days, in seconds. Recorded answers of the older interface show the last
    /// month.
    private static let month = 30.0 * 86_400

    init(_ data: JSONObject, of accounts: [PortmoneSandboxAccount], at moment: Date) throws(GatewayError) {
        let members = try RequestMembers(
            data, required: RequestMembers.credentials,
            optional: ["shopOrderNumber", "shopbillId", "status", "startDate", "endDate"])
        let account = try accounts.account(of: members)
        payeeId = account.payeeId
        shopOrderNumber = try members.shopOrderNumber(in: data)
        shopBillId = members["shopbillId"]
        guard shopOrderNumber != nil || shopBillId != nil else { throw .missing("shopOrderNumber") }
        if let name = members["status"] {
            guard let status = PortmoneBill.Status(rawValue: name), name.isExactly(status.rawValue) else {
                throw .invalid("status")
            }
            self.status = status
        } else {
            status = nil
        }
        switch (try Self.day(members, "startDate"), try Self.day(members, "endDate")) {
        case (let first?, let last?):
            guard first <= last else { throw .invalid("endDate") }
            days = first...last
        case (nil, nil): days = moment.addingTimeInterval(-Self.month).dayDigits...moment.dayDigits
        case (nil, _): throw .missing("startDate")
        case (_, nil): throw .missing("endDate")
        }
    }

    /// Reads a day in the format `dd.MM.yyyy`.
    ///
    /// - Returns: the day as `yyyyMMdd`; `nil` if it is absent.
    private static func day(_ members: RequestMembers, _ name: String) throws(GatewayError) -> String? {
        guard let text = members[name] else { return nil }
        let parts = text.parts(at: ".")
        guard parts.count == 3, parts[0].utf8.count == 2, parts[1].utf8.count == 2, parts[2].utf8.count == 4,
            parts.allSatisfy({ $0.utf8.allSatisfy(\.isASCIIDigit) }), (1...31).contains(Int(parts[0]) ?? 0),
            (1...12).contains(Int(parts[1]) ?? 0)
        else { throw .invalid(name) }
        return "\(parts[2])\(parts[1])\(parts[0])"
    }

    /// Returns the entries that match the query: each bill, followed by its returns.
    func entries(of bills: [PortmoneBill]) -> [JSON] {
        bills.filter { shopOrderNumber?.isExactly($0.shopOrderNumber) ?? true }.flatMap { bill in
            let own = PortmoneBill.StatusEntry(bill)
            return ([own] + bill.returns.map { PortmoneBill.StatusEntry($0, of: bill) }).filter { entry in
                (status.map { $0 == entry.status } ?? true) && days.contains(entry.date.dayDigits)
            }.map(\.json)
        }
    }
}
