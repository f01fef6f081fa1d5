public import PayrelayPrimitives

/// Amounts as Portmone writes them: decimals in major units, where this service has minor units. Exact both ways; no floating point.
///
/// A decimal is a whole number without a zero before other digits and, where the currency has decimals, perhaps a point and at most
/// as many digits as the currency has: `10.50`, `10.5` and `10` are amounts in UAH. `1.010` is none in UAH: it may be a thousand and
/// ten where a point separates thousands, and as a fraction it has a digit that UAH does not have. A sign, a comma, a space, an
/// exponent and another script's digits are none either.
public enum DecimalAmount {
    /// With all decimals of the currency: 1050 in UAH is `10.50`, in JPY `1050`, in KWD `1.050`.
    public static func text(of amount: MinorUnits, in currency: Currency) -> String {
        let digits = String(amount.value)
        guard currency.exponent > 0 else { return digits }
        let padded = String(repeating: "0", count: max(0, currency.exponent + 1 - digits.utf8.count)) + digits
        let point = padded.utf8.index(padded.endIndex, offsetBy: -currency.exponent)
        return "\(padded[..<point]).\(padded[point...])"
    }

    /// Nil for a text that is no amount, or one beyond ``MinorUnits/limit``.
    public static func read(_ text: String, in currency: Currency) -> MinorUnits? {
        read(text.utf8[...], in: currency)
    }

    /// Reads `-10.50` as 10.50. Where money is given back, Portmone's amount is negative. Nil for a text that is no negative amount;
    /// there is no negative zero.
    public static func readNegative(_ text: String, in currency: Currency) -> MinorUnits? {
        guard text.utf8.first == UInt8(ascii: "-"), let amount = read(text.utf8.dropFirst(), in: currency),
            amount > .zero
        else { return nil }
        return amount
    }

    private static func read(_ text: Substring.UTF8View, in currency: Currency) -> MinorUnits? {
        let parts = text.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        let (whole, fraction) = (parts[0], parts.count == 2 ? parts[1] : nil)
        // Ten digits and at most four decimals: no overflow.
        guard (1...10).contains(whole.count), whole.allSatisfy(\.isASCIIDigit), whole.count == 1 || whole.first != 0x30
        else { return nil }
        var value = whole.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        if let fraction {
            guard (1...4).contains(fraction.count), fraction.count <= currency.exponent,
                fraction.allSatisfy(\.isASCIIDigit)
            else { return nil }
            value = fraction.reduce(value) { $0 * 10 + Int($1 - 0x30) }
        }
        for _ in (fraction?.count ?? 0)..<currency.exponent { value *= 10 }
        return MinorUnits(value)
    }
}
