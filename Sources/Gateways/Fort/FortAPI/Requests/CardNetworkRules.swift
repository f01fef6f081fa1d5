import PayrelayPrimitives

/// FORT's rules for the commands and amounts that a card's network allows.
enum CardNetworkRules {
    /// FORT's name for the network of the card. The table of the Apple Pay SDK has the parameter "to restrict
    /// payment to specific method".
    static let paymentOption = "payment_option"

    /// Returns an error for every rule that an order breaks.
    ///
    /// - Parameters:
    ///   - order: the order's fields under FORT's names.
    ///   - network: the network in Apple's or FORT's spelling; `nil` if it is not known.
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

    /// Returns the error of an amount for a Visa card; `nil` if there is none. If the currency has three
    /// decimals, APS wants the last one to be zero, "to avoid declined transactions".
    static func amountError(in values: [String: String], network: String) -> ValidationError? {
        guard network.lowercasedASCII == "visa", Currency(code: values["currency"] ?? "")?.exponent == 3,
            let last = values["amount"]?.utf8.last, last != UInt8(ascii: "0")
        else { return nil }
        return ValidationError(field: "amount", detail: "must end in 0 for a Visa card in a currency of three decimals")
    }
}
