import PayrelayPrimitives
import TokenMint

/// The cards in the sandbox's answers. They are not real cards.
enum TestCards {
    /// Returns the number of a card of a scheme: the token's number if it is one of the scheme's test cards,
    /// otherwise the scheme's first test card.
    ///
    /// - Parameter paymentOption: FORT's name of the scheme.
    static func number(of paymentOption: String, token: String? = nil) -> String {
        let numbers =
            CardNetwork.allCases.first { $0.rawValue.isSame(ignoringCaseOf: paymentOption) }?.testAccountNumbers
            // FORT's documents say only that MEEZA's card numbers have 19 digits.
            ?? (paymentOption == "MEEZA" ? ["5078030000000000019"] : CardNetwork.visa.testAccountNumbers)
        return token.flatMap { token in numbers.first { $0 == token } } ?? numbers[0]
    }

    /// Returns the masked number, such as `411111******1111`.
    static func masked(_ number: String) -> String {
        number.prefix(6) + String(repeating: "*", count: max(0, number.utf8.count - 10)) + number.suffix(4)
    }
}
