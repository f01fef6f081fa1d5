public import PayrelayPrimitives

extension FortRequest {
    /// FORT's recurring payment: PURCHASE of a stored card, by the `token_name` that FORT answered to an earlier payment. It has no
    /// `digital_wallet` and no token of Apple's.
    ///
    /// - Parameters:
    ///   - order: the payment's fields by FORT's names (``FortField/ofRecurring``); `amount` in minor units of `currency`. `command`
    ///     and `eci` have one value each and may be left out. Spaces around a value are dropped where the field allows spaces at
    ///     all, and empty optional fields are not sent.
    /// - Throws: ``ValidationErrors`` with every error of the order, in the order of ``FortField/ofRecurring``; then the names that
    ///   FORT does not know.
    public init(recurring order: [String: String]) throws(ValidationErrors) {
        let values = order.merging(["command": FortCommand.purchase.rawValue, "eci": "RECURRING"]) { given, _ in given }
        let unknown = order.keys.filter { name in !FortField.ofRecurring.contains { $0.name == name } }.sorted()
        try ValidationErrors.throwIfAny(
            FortField.errors(of: FortField.ofRecurring, in: { values[$0] })
                + CardNetworkRules.errors(in: values, network: values["payment_option"], authorizesMada: false)
                + unknown.map { ValidationError(field: $0, detail: "is not a field of a recurring payment") })
        self.init(
            command: .purchase,
            parameters: JSONObject(
                distinct: values.map { JSONObject.Member(name: $0, value: .string($1.trimmedOfWhiteSpace)) }))
    }
}
