public import PayrelayPrimitives

extension FortRequest {
    /// Creates FORT's recurring payment: PURCHASE with a stored card, named by the `token_name` in FORT's answer
    /// to an earlier payment. It has neither `digital_wallet` nor an Apple Pay token.
    ///
    /// - Parameters:
    ///   - order: the payment's fields under FORT's names (``FortField/ofRecurring``), with `amount` in minor
    ///     units of `currency`. `command` and `eci` allow one value each and may be left out. Spaces around a
    ///     value are dropped if the field allows spaces at all. Empty optional fields are not sent.
    /// - Throws: ``ValidationErrors`` with every error of the order, in the order of ``FortField/ofRecurring``,
    ///   followed by the unknown names.
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
