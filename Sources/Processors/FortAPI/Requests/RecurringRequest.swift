public import PayrelayPrimitives

/// FORT's recurring payment: PURCHASE of a stored card, by the `token_name` that FORT answered to an earlier payment. It has no
/// `digital_wallet` and no token of Apple's.
public struct RecurringRequest: FortRequest {
    public let parameters: JSONObject

    /// - Parameters:
    ///   - order: the payment's fields by FORT's names (``FortField/ofRecurring``); `amount` in minor units of `currency`. `command`
    ///     and `eci` have one value each and may be left out. Spaces around a value are dropped where the field allows spaces at
    ///     all, and empty optional fields are not sent.
    /// - Throws: ``ValidationErrors`` with every error of the order.
    public init(order: [String: String]) throws(ValidationErrors) {
        try ValidationErrors.throwIfAny(Self.errors(in: order))
        parameters = JSONObject(
            distinct: Self.completed(order).map {
                JSONObject.Member(name: $0, value: .string($1.trimmedOfWhiteSpace))
            })
    }

    /// Everything for which FORT would refuse the order's fields, in the order of ``FortField/ofRecurring``; then the names that it
    /// does not know.
    public static func errors(in order: [String: String]) -> [ValidationError] {
        let values = completed(order)
        let unknown = order.keys.filter { name in !FortField.ofRecurring.contains { $0.name == name } }.sorted()
        return FortField.errors(of: FortField.ofRecurring, in: { values[$0] })
            + CardNetworkRules.errors(in: values, network: values["payment_option"])
            + unknown.map { ValidationError(field: $0, detail: "is not a field of a recurring payment") }
    }

    private static func completed(_ order: [String: String]) -> [String: String] {
        order.merging(["command": FortCommand.purchase.rawValue, "eci": "RECURRING"]) { given, _ in given }
    }

    public var command: FortCommand { .purchase }

    public var description: String { "\(command.rawValue) of a stored card" }
}
