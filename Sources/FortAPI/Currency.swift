/// A currency of ISO 4217, by its alphabetic code.
public struct Currency: Hashable, Sendable {
    /// Three capital letters: `AED`.
    public let code: String
    /// Three digits, leading zeros kept: `784`. A decrypted Apple Pay token names its currency so.
    public let numericCode: String
    /// How many decimals the minor unit has: 2 for `AED` (amounts in fils), 3 for `KWD`, 0 for `JPY`.
    public let exponent: Int

    init(code: String, numericCode: String, exponent: Int) {
        self.code = code
        self.numericCode = numericCode
        self.exponent = exponent
    }

    /// The currency with this code; nil where ISO 4217 does not list it as one that money can be paid in.
    public init?(code: String) {
        // The length, because to a Swift dictionary the Kelvin sign in "\u{212A}WD" is the letter K.
        guard code.utf8.count == 3, let currency = Currency.all[code] else { return nil }
        self = currency
    }
}
