import PayrelayPrimitives
import TokenMint

/// The cards of the sandbox's answers. They do not exist.
enum TestCards {
    /// The number of a card of a scheme: the token's, if it is one of the scheme's test cards.
    ///
    /// - Parameter paymentOption: FORT's name of the scheme.
    static func number(of paymentOption: String, token: String? = nil) -> String {
        let numbers =
            CardNetwork.allCases.first { $0.rawValue.isSame(ignoringCaseOf: paymentOption) }?.testAccountNumbers
            // Of MEEZA's cards, FORT's documents say that they have 19 digits.
            ?? (paymentOption == "MEEZA" ? ["5078030000000000019"] : CardNetwork.visa.testAccountNumbers)
        return token.flatMap { token in numbers.first { $0 == token } } ?? numbers[0]
    }

    /// `411111******1111`.
    static func masked(_ number: String) -> String {
        number.prefix(6) + String(repeating: "*", count: max(0, number.utf8.count - 10)) + number.suffix(4)
    }
}
