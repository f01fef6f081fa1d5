import PayrelayPrimitives

extension PortmoneOperation {
    /// Validates a `confirmPreauth`, `rejectPreauth`, `return` or `closeInvoice`.
    init(
        _ kind: Kind, _ data: JSONObject, of accounts: [PortmoneSandboxAccount]
    ) throws(GatewayError) {
        let amount = Self.amountName(of: kind)
        let (names, more): ([String], [String]) =
            switch kind {
            case .confirmPreauth: (["shopOrderNumber", "shopbillId"], ["token", "distribution", "attribute5"])
            case .rejectPreauth: (["shopOrderNumber", "shopbillId"], [])
            case .return: (["shopOrderNumber", "shopbillId"], ["message", "attribute5"])
            case .closeInvoice: (["shopOrderNumber"], [])
            }
        let members = try RequestMembers(
            data, required: RequestMembers.credentials + [amount].compactMap { $0 }, optional: names + more)
        let account = try accounts.account(of: members)
        self.kind = kind
        payeeId = account.payeeId
        shopOrderNumber = try members.shopOrderNumber(in: data)
        shopBillId = members["shopbillId"]
        guard shopOrderNumber != nil || shopBillId != nil else { throw .missing(names[0]) }
        self.amount = amount.flatMap { members[$0] }
    }
}
