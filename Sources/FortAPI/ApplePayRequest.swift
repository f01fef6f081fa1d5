public import Primitives

/// FORT's Apple Pay request: AUTHORIZATION or PURCHASE with a token.
public struct ApplePayRequest: FortRequest {
    public let command: FortCommand
    public let parameters: JSONObject

    /// - Parameters:
    ///   - order: the order's fields by FORT's names (``FortField/ofOrder``); `amount` in minor units of `currency`. Spaces
    ///     around a value are dropped where the field allows spaces at all, and empty optional fields are not sent.
    /// - Throws: ``FortFieldErrors`` with every fault of the order and of the token.
    public init(order: [String: String], token: AppleParameters) throws(FortFieldErrors) {
        try FortFieldErrors.throwIfAny(ApplePayRequest.faults(in: order, token: token))
        // The field's faults allow these two alone.
        command = order["command"] == FortCommand.authorization.rawValue ? .authorization : .purchase
        var parameters = token.parameters
        parameters["digital_wallet"] = "APPLE_PAY"
        for (name, value) in order { parameters[name] = .string(FortField.trimmed(value)) }
        self.parameters = parameters
    }

    /// Everything for which FORT would refuse the order's fields or the token's.
    public static func faults(in order: [String: String], token: AppleParameters) -> [FortFieldError] {
        faults(in: order) + token.faults
            + [visaFault(in: order, network: token.sentNetwork), madaFault(in: order, network: token.sentNetwork)]
            .compactMap { $0 }
    }

    /// Everything for which FORT would refuse the order's fields, in the order of ``FortField/all``; then the names that it
    /// does not know.
    public static func faults(in order: [String: String]) -> [FortFieldError] {
        let unknown = order.keys.filter { FortField.named($0)?.origin != .order }.sorted()
        return FortFieldError.found(of: FortField.ofOrder, in: { order[$0] })
            + unknown.map { FortFieldError(field: $0, detail: "is not a field of an Apple Pay order") }
    }

    public var description: String { "\(command.rawValue) with an Apple Pay token" }

    /// "MADA (for Purchase operations and eci Ecommerce only)", says the mobile SDK guide.
    private static func madaFault(in order: [String: String], network: String?) -> FortFieldError? {
        guard network?.lowercased() == "mada", order["command"] == FortCommand.authorization.rawValue else {
            return nil
        }
        return FortFieldError(
            field: "command", detail: "must be PURCHASE for a mada card, which FORT does not authorize")
    }

    /// APS asks for a zero in the last of three decimals where the card is a Visa, "to avoid declined transactions".
    private static func visaFault(in order: [String: String], network: String?) -> FortFieldError? {
        guard network?.lowercased() == "visa", Currency(code: order["currency"] ?? "")?.exponent == 3,
            let last = order["amount"]?.last, last != "0"
        else { return nil }
        return FortFieldError(field: "amount", detail: "must end in 0 for a Visa card in a currency of three decimals")
    }
}
