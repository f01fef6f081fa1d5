public import PayrelayAPI
public import PayrelayPrimitives

/// An amount in text without its currency: `349.50` is 34950 in AED, and 349500 in KWD.
public struct AmountInAnyCurrency: Sendable, Equatable {
    /// By the number of decimals that a currency has; without those that are too few for it.
    public let byExponent: [Int: MinorUnits]

    public init(byExponent: [Int: MinorUnits]) {
        self.byExponent = byExponent
    }

    /// - Parameter text: digits, or digits, a point and digits.
    /// - Throws: if no currency has such an amount: why the one with the most decimals has not.
    public init(decimal text: String) throws(AmountError) {
        var byExponent: [Int: MinorUnits] = [:]
        var refused: AmountError?
        for exponent in Currency.exponents {
            do throws(AmountError) {
                byExponent[exponent] = try MinorUnits(decimal: text, exponent: exponent)
            } catch {
                refused = error
            }
        }
        if byExponent.isEmpty, let refused { throw refused }
        self.init(byExponent: byExponent)
    }
}
