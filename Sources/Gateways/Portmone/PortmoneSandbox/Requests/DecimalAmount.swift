import PayrelayPrimitives

/// Converts amounts from and to this gateway's format: decimals in major units.
enum DecimalAmount {
    /// Reads an exact decimal; `nil` for any other text: a sign, an exponent, a comma, a space, leading zeros,
    /// more decimals than the currency has, zero, or more than ``MinorUnits/limit``.
    ///
    /// - Parameter exponent: the number of decimals of the currency.
    static func read(_ text: String, exponent: Int) -> MinorUnits? {
        let parts = text.parts(at: ".", max: 2)
        let (whole, fraction) = (parts[0].utf8, parts.count == 2 ? parts[1].utf8 : Substring().utf8)
        guard (1...10).contains(whole.count), whole.allSatisfy(\.isASCIIDigit), whole.count == 1 || whole.first != 0x30,
            fraction.count <= exponent, fraction.allSatisfy(\.isASCIIDigit), parts.count == 1 || !fraction.isEmpty
        else { return nil }
        // Ten digits and at most four decimals cannot overflow.
        var value = (Array(whole) + Array(fraction)).reduce(0) { $0 * 10 + Int($1 - 0x30) }
        for _ in fraction.count..<exponent { value *= 10 }
        guard let amount = MinorUnits(value), amount > .zero else { return nil }
        return amount
    }

    /// Writes an amount with all decimals of its currency: 1050 is `10.50`, and -1050 is `-10.50`.
    static func write(_ amount: Int, exponent: Int) -> String {
        let digits = String(amount.magnitude)
        guard exponent > 0 else { return (amount < 0 ? "-" : "") + digits }
        let padded = String(repeating: "0", count: max(0, exponent + 1 - digits.utf8.count)) + digits
        let point = padded.utf8.index(padded.startIndex, offsetBy: padded.utf8.count - exponent)
        return "\(amount < 0 ? "-" : "")\(padded[..<point]).\(padded[point...])"
    }
}
