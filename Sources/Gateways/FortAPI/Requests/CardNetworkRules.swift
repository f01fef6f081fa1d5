import PayrelayPrimitives

/// FORT's rules for the card's network: the commands and the amounts that it allows.
enum CardNetworkRules {
    /// FORT's name of a card's network. The table of the Apple Pay SDK has it "to restrict payment to specific method".
    static let paymentOption = "payment_option"

    /// Returns every rule that an order breaks.
    ///
    /// - Parameters:
    ///   - order: by FORT's names.
    ///   - network: as Apple or FORT spells it; `nil` if unknown.
    ///   - authorizesMada: see ``FortAccount/authorizesMada``.
    static func errors(in order: [String: String], network: String?, authorizesMada: Bool) -> [ValidationError] {
        guard let network else { return [] }
        var errors: [ValidationError] = []
        if !authorizesMada, network.lowercasedASCII == "mada", order["command"] == FortCommand.authorization.rawValue {
            errors.append(
                ValidationError(
                    field: "command",
                    detail:
                        "must be PURCHASE for a mada card, unless fort.authorize_mada says that APS authorizes them for the account"
                ))
        }
        errors += amountError(in: order, network: network).map { [$0] } ?? []
        if let option = order[paymentOption]?.trimmedOfWhiteSpace, !option.isEmpty,
            !option.isSame(ignoringCaseOf: network)
        {
            errors.append(ValidationError(field: paymentOption, detail: "is not the network of the card"))
        }
        return errors
    }

    /// Returns the error of an amount of a Visa card. APS asks for a zero in the last of three decimals, "to avoid declined transactions".
    static func amountError(in values: [String: String], network: String) -> ValidationError? {
        guard network.lowercasedASCII == "visa", Currency(code: values["currency"] ?? "")?.exponent == 3,
            let last = values["amount"]?.utf8.last, last != UInt8(ascii: "0")
        else { return nil }
        return ValidationError(field: "amount", detail: "must end in 0 for a Visa card in a currency of three decimals")
    }
}
