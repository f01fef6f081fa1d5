public import PaymentRelay
public import PayrelayAPI
import PayrelayPrimitives

extension AmountInAnyCurrency {
    /// - Parameter text: digits, or digits, a decimal point and digits.
    /// - Throws: if the amount is invalid in every currency, the error for the currencies with the most decimals.
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
