import PayrelayPrimitives

/// FORT's rules for the card's network: the commands and the amounts that it allows.
enum CardNetworkRules {
    /// - Parameters:
    ///   - order: by FORT's names.
    ///   - network: as Apple spells it.
    static func errors(in order: [String: String], network: String?) -> [ValidationError] {
        [visaError(in: order, network: network), madaError(in: order, network: network)].compactMap { $0 }
    }

    /// "MADA (for Purchase operations and eci Ecommerce only)", says the mobile SDK guide.
    private static func madaError(in order: [String: String], network: String?) -> ValidationError? {
        guard network?.lowercasedASCII == "mada", order["command"] == FortCommand.authorization.rawValue else {
            return nil
        }
        return ValidationError(
            field: "command", detail: "must be PURCHASE for a mada card, which FORT does not authorize")
    }

    /// APS asks for a zero in the last of three decimals where the card is a Visa, "to avoid declined transactions".
    private static func visaError(in order: [String: String], network: String?) -> ValidationError? {
        guard network?.lowercasedASCII == "visa", Currency(code: order["currency"] ?? "")?.exponent == 3,
            let last = order["amount"]?.last, last != "0"
        else { return nil }
        return ValidationError(field: "amount", detail: "must end in 0 for a Visa card in a currency of three decimals")
    }
}
