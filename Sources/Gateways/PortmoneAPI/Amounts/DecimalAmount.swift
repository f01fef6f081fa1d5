import PayrelayAPI
public import PayrelayPrimitives

/// Amounts as Portmone writes them: decimals in major units, where this service has minor units. Exact both ways; no floating point.
///
/// A decimal is a whole number without a zero before other digits and, where the currency has decimals, perhaps a point and at most
/// as many digits as the currency has: `10.50`, `10.5` and `10` are amounts in UAH. `1.010` is none in UAH: it may be a thousand and
/// ten where a point separates thousands, and as a fraction it has a digit that UAH does not have. A sign, a comma, a space, an
/// exponent and another script's digits are none either.
public enum DecimalAmount {
    /// With all decimals of the currency: 1050 in UAH is `10.50`, in JPY `1050`, in KWD `1.050`.
    public static func text(of amount: MinorUnits, in currency: Currency) -> String { amount.text(in: currency) }

    /// Nil for a text that is no amount, or one beyond ``MinorUnits/limit``.
    public static func read(_ text: String, in currency: Currency) -> MinorUnits? {
        let bytes = text.utf8.prefix(2)
        let hasLeadingZero = bytes.first == UInt8(ascii: "0") && bytes.count == 2 && bytes.last != UInt8(ascii: ".")
        return hasLeadingZero ? nil : try? MinorUnits(decimal: text, currency)
    }

    /// Reads `-10.50` as 10.50. Where money is given back, Portmone's amount is negative. Nil for a text that is no negative amount;
    /// there is no negative zero.
    public static func readNegative(_ text: String, in currency: Currency) -> MinorUnits? {
        guard text.utf8.first == UInt8(ascii: "-"),
            let amount = read(String(Substring(text.utf8.dropFirst())), in: currency),
            amount > .zero
        else { return nil }
        return amount
    }
}
