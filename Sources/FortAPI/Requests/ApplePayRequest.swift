public import PayrelayPrimitives

/// FORT's Apple Pay request: AUTHORIZATION or PURCHASE with a token.
public struct ApplePayRequest: FortRequest {
    public let command: FortCommand
    public let parameters: JSONObject

    /// - Parameters:
    ///   - order: the order's fields by FORT's names (``FortField/ofOrder``); `amount` in minor units of `currency`. Spaces
    ///     around a value are dropped where the field allows spaces at all, and empty optional fields are not sent.
    /// - Throws: ``ValidationErrors`` with every error of the order and of the token.
    public init(order: [String: String], token: AppleParameters) throws(ValidationErrors) {
        try ValidationErrors.throwIfAny(ApplePayRequest.errors(in: order, token: token))
        // The field allows these two alone.
        command = order["command"] == FortCommand.authorization.rawValue ? .authorization : .purchase
        var members = token.parameters.members
        members.reserveCapacity(members.count + order.count + 4)
        members.append(JSONObject.Member(name: "digital_wallet", value: "APPLE_PAY"))
        // No field of an order is one of those.
        for (name, value) in order {
            members.append(JSONObject.Member(name: name, value: .string(FortField.trimmed(value))))
        }
        parameters = JSONObject(distinct: members)
    }

    /// Everything for which FORT would refuse the order's fields or the token's.
    public static func errors(in order: [String: String], token: AppleParameters) -> [ValidationError] {
        errors(in: order) + token.errors
            + CardNetworkRules.errors(in: order, network: token.sentNetwork)
    }

    /// Everything for which FORT would refuse the order's fields, in the order of ``FortField/all``; then the names that it
    /// does not know.
    public static func errors(in order: [String: String]) -> [ValidationError] {
        let errors = FortField.errors(of: FortField.ofOrder, in: { order[$0] })
        guard order.keys.contains(where: { !orderNames.contains($0) }) else { return errors }
        return errors
            + order.keys.filter { !orderNames.contains($0) }.sorted()
            .map { ValidationError(field: $0, detail: "is not a field of an Apple Pay order") }
    }

    private static let orderNames = Set(FortField.ofOrder.map(\.name))

    public var description: String { "\(command.rawValue) with an Apple Pay token" }
}
