public import Primitives

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
        var parameters = token.parameters
        parameters["digital_wallet"] = "APPLE_PAY"
        for (name, value) in order { parameters[name] = .string(FortField.trimmed(value)) }
        self.parameters = parameters
    }

    /// Everything for which FORT would refuse the order's fields or the token's.
    public static func errors(in order: [String: String], token: AppleParameters) -> [ValidationError] {
        errors(in: order) + token.errors
            + [visaError(in: order, network: token.sentNetwork), madaError(in: order, network: token.sentNetwork)]
            .compactMap { $0 }
    }

    /// Everything for which FORT would refuse the order's fields, in the order of ``FortField/all``; then the names that it
    /// does not know.
    public static func errors(in order: [String: String]) -> [ValidationError] {
        let unknown = order.keys.filter { FortField.named($0)?.origin != .order }.sorted()
        return FortField.errors(of: FortField.ofOrder, in: { order[$0] })
            + unknown.map { ValidationError(field: $0, detail: "is not a field of an Apple Pay order") }
    }

    public var description: String { "\(command.rawValue) with an Apple Pay token" }

    /// "MADA (for Purchase operations and eci Ecommerce only)", says the mobile SDK guide.
    private static func madaError(in order: [String: String], network: String?) -> ValidationError? {
        guard network?.lowercased() == "mada", order["command"] == FortCommand.authorization.rawValue else {
            return nil
        }
        return ValidationError(
            field: "command", detail: "must be PURCHASE for a mada card, which FORT does not authorize")
    }

    /// APS asks for a zero in the last of three decimals where the card is a Visa, "to avoid declined transactions".
    private static func visaError(in order: [String: String], network: String?) -> ValidationError? {
        guard network?.lowercased() == "visa", Currency(code: order["currency"] ?? "")?.exponent == 3,
            let last = order["amount"]?.last, last != "0"
        else { return nil }
        return ValidationError(field: "amount", detail: "must end in 0 for a Visa card in a currency of three decimals")
    }
}
