public import ApplePayToken
public import PayrelayPrimitives

extension FortRequest {
    /// Creates FORT's Apple Pay request: AUTHORIZATION or PURCHASE with a token.
    ///
    /// - Parameters:
    ///   - order: the order's fields under FORT's names (``FortField/ofOrder``), with `amount` in minor units of
    ///     `currency`. Spaces around a value are dropped if the field allows spaces at all. Empty optional fields
    ///     are not sent.
    ///   - authorizesMada: see ``FortAccount/authorizesMada``.
    /// - Throws: ``ValidationErrors`` with every error of the order and of the token.
    public init(order: [String: String], token: PaymentToken, authorizesMada: Bool = false) throws(ValidationErrors) {
        try ValidationErrors.throwIfAny(Self.errors(in: order, token: token, authorizesMada: authorizesMada))
        var members = token.fortMembers
        members.reserveCapacity(members.count + order.count + 4)
        members.append(JSONObject.Member(name: "digital_wallet", value: "APPLE_PAY"))
        // No field of an order has a name that is already in `members`. `payment_option` is not sent, because
        // APS's table of Apple Pay requests does not have it. It was only compared with the card.
        for (name, value) in order where name != CardNetworkRules.paymentOption {
            members.append(JSONObject.Member(name: name, value: .string(value.trimmedOfWhiteSpace)))
        }
        // The field allows only these two values.
        let command: FortCommand = order["command"] == FortCommand.authorization.rawValue ? .authorization : .purchase
        self.init(command: command, parameters: JSONObject(distinct: members))
    }

    /// Returns every error for which FORT would reject the fields of an Apple Pay order or of the token.
    public static func errors(
        in order: [String: String], token: PaymentToken, authorizesMada: Bool = false
    ) -> [ValidationError] {
        errors(in: order) + token.fortErrors
            + CardNetworkRules.errors(
                in: order, network: token.paymentMethod?.network.map(\.trimmedOfWhiteSpace),
                authorizesMada: authorizesMada)
    }

    /// Returns every error for which FORT would reject the fields of an Apple Pay order, in the order of
    /// ``FortField/all``, followed by the unknown names.
    public static func errors(in order: [String: String]) -> [ValidationError] {
        if isGood(order) { return [] }
        let unknown = order.keys.filter { FortField.named($0)?.origin != .order }.sorted()
        return FortField.errors(of: FortField.ofOrder, in: { order[$0] })
            + unknown.map { ValidationError(field: $0, detail: "is not a field of an Apple Pay order") }
    }

    /// Whether the order has no error. This is the fast path: it checks only the order's values, not every field
    /// that exists.
    private static func isGood(_ order: [String: String]) -> Bool {
        var mandatory = 0
        for (name, value) in order {
            guard let field = FortField.named(name), field.origin == .order, field.errors(in: value).isEmpty else {
                return false
            }
            if field.isMandatory { mandatory += 1 }
        }
        return mandatory == mandatoryCount
    }

    private static let mandatoryCount = FortField.ofOrder.count(where: \.isMandatory)
}
