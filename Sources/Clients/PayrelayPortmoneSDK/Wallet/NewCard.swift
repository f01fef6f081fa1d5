import Foundation
public import PayrelayPrimitives

/// A card to be added. The number and the security code are digits.
public struct NewCard: Sendable, Redacted {
    /// The name for the card in the wallet, decoded.
    public let name: String
    /// The card's number, 12 to 19 digits.
    public let number: SecretText
    /// The month in two digits, 01 to 12.
    public let expireMonth: String
    /// The last two digits of the year.
    public let expireYear: String
    /// The security code, three digits.
    public let cvv: SecretText

    /// - Throws: 2102 to 2106, or 2112. The wallet checks whether the card has expired.
    init(_ card: MfsCard, number: SecretText, cvv: SecretText) throws(PortmoneError) {
        guard let name = card.cardName, !name.isEmpty else { throw .cardNameEmpty }
        guard !number.isEmpty else { throw .cardNumberEmpty }
        guard number.isDigits(12...19), number.withExposed(Self.hasCheckDigit) else { throw .cardNumberInvalid }
        guard let month = Self.twoDigits(card.expireMonth), ("01"..."12").contains(month),
            let year = Self.twoDigits(card.expireYear)
        else { throw .expiryInvalid }
        guard !cvv.isEmpty else { throw .cvc2Empty }
        guard cvv.isDigits(3...3) else { throw .cvc2Invalid }
        // A text that is not URL encoded, such as "50%", is used unchanged.
        self.name = name.removingPercentEncoding ?? name
        self.number = number
        expireMonth = month
        expireYear = year
        self.cvv = cvv
    }

    private static func twoDigits(_ text: String?) -> String? {
        guard let text, text.utf8.count == 2, text.utf8.allSatisfy(\.isASCIIDigit) else { return nil }
        return text
    }

    /// Returns whether the digits satisfy the Luhn formula (ISO/IEC 7812-1, annex B).
    private static func hasCheckDigit(_ digits: UnsafeBufferPointer<UInt8>) -> Bool {
        var sum = 0
        for (place, digit) in digits.reversed().enumerated() {
            let value = Int(digit) - 0x30
            sum += place.isMultiple(of: 2) ? value : value * 2 - (value > 4 ? 9 : 0)
        }
        return sum.isMultiple(of: 10)
    }

    public var description: String { "NewCard" }
}
