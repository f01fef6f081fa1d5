public import ApplePayToken
public import PayrelayPrimitives

extension FortRequest {
    /// FORT's Apple Pay request: AUTHORIZATION or PURCHASE with a token.
    ///
    /// - Parameters:
    ///   - order: the order's fields by FORT's names (``FortField/ofOrder``); `amount` in minor units of `currency`. Spaces
    ///     around a value are dropped where the field allows spaces at all, and empty optional fields are not sent.
    ///   - authorizesMada: see ``FortAccount/authorizesMada``.
    /// - Throws: ``ValidationErrors`` with every error of the order and of the token.
    public init(order: [String: String], token: PaymentToken, authorizesMada: Bool = false) throws(ValidationErrors) {
        try ValidationErrors.throwIfAny(Self.errors(in: order, token: token, authorizesMada: authorizesMada))
        var members = token.fortMembers
        members.reserveCapacity(members.count + order.count + 4)
        members.append(JSONObject.Member(name: "digital_wallet", value: "APPLE_PAY"))
        // No field of an order is one of those. The table of Apple Pay requests has no `payment_option`; it was compared with the card.
        for (name, value) in order where name != CardNetworkRules.paymentOption {
            members.append(JSONObject.Member(name: name, value: .string(value.trimmedOfWhiteSpace)))
        }
        // The field allows these two alone.
        let command: FortCommand = order["command"] == FortCommand.authorization.rawValue ? .authorization : .purchase
        self.init(command: command, parameters: JSONObject(distinct: members))
    }

    /// Everything for which FORT would refuse an Apple Pay order's fields or the token's.
    public static func errors(
        in order: [String: String], token: PaymentToken, authorizesMada: Bool = false
    ) -> [ValidationError] {
        errors(in: order) + token.fortErrors
            + CardNetworkRules.errors(
                in: order, network: token.paymentMethod?.network.map(\.trimmedOfWhiteSpace),
                authorizesMada: authorizesMada)
    }

    /// Everything for which FORT would refuse an Apple Pay order's fields, in the order of ``FortField/all``; then the names
    /// that it does not know.
    public static func errors(in order: [String: String]) -> [ValidationError] {
        if isGood(order) { return [] }
        let unknown = order.keys.filter { FortField.named($0)?.origin != .order }.sorted()
        return FortField.errors(of: FortField.ofOrder, in: { order[$0] })
            + unknown.map { ValidationError(field: $0, detail: "is not a field of an Apple Pay order") }
    }

    /// Whether there is no error: by the order's few values, not by all the fields that there are.
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
