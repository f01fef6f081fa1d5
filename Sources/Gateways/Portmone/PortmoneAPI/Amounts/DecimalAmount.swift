import PayrelayAPI
public import PayrelayPrimitives

/// Converts between Portmone's amounts, decimals in major units, and this service's minor units. Both conversions
/// are exact, without floating point.
///
/// A decimal is a whole number without leading zeros. If the currency has decimals, a point and at most as many
/// digits as the currency has may follow: `10.50`, `10.5` and `10` are amounts in UAH.
///
/// These are rejected:
/// - more digits than the currency has. `1.010` is not an amount in UAH: a source that separates thousands with a
///   point would mean one thousand and ten;
/// - a sign, a comma, a space, an exponent, or digits of another script.
public enum DecimalAmount {
    /// Returns the amount with all decimals of the currency: 1050 is `10.50` in UAH, `1050` in JPY, `1.050` in
    /// KWD.
    public static func text(of amount: MinorUnits, in currency: Currency) -> String { amount.text(in: currency) }

    /// Returns the amount in minor units; `nil` if the text is not an amount, or is beyond ``MinorUnits/limit``.
    public static func read(_ text: String, in currency: Currency) -> MinorUnits? {
        let bytes = text.utf8.prefix(2)
        let hasLeadingZero = bytes.first == UInt8(ascii: "0") && bytes.count == 2 && bytes.last != UInt8(ascii: ".")
        return hasLeadingZero ? nil : try? MinorUnits(decimal: text, currency)
    }

    /// Returns the absolute value of a negative amount: `-10.50` is read as 10.50. Portmone states money that was
    /// given back as a negative amount. `nil` if the text is not a negative amount; a negative zero is not an
    /// amount.
    public static func readNegative(_ text: String, in currency: Currency) -> MinorUnits? {
        guard text.utf8.first == UInt8(ascii: "-"),
            let amount = read(String(Substring(text.utf8.dropFirst())), in: currency),
            amount > .zero
        else { return nil }
        return amount
    }
}
