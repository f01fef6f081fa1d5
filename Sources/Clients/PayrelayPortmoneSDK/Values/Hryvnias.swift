import PayrelayPrimitives

/// Amounts in the SDK's interface are `Double`, as in Portmone's SDK. All other code counts kopecks.
extension MinorUnits {
    /// Converts an amount with at most two decimals into kopecks. 10.1 is 1010, although no `Double` is exactly
    /// 10.1.
    ///
    /// - Throws: 2004 for an amount that is negative, not a number, infinite, has more decimals, or exceeds
    ///   99999999.99.
    init(hryvnias amount: Double) throws(PortmoneError) {
        guard !amount.isNaN, amount >= 0 else { throw .invalidAmount }
        // Below 2^53 both numbers are exact integers, and their quotient is rounded to the same `Double` as the
        // decimal literal.
        let kopecks = (amount * 100).rounded()
        guard kopecks <= Double(Self.limit) else { throw .invalidAmount.with("it is at most 99999999.99") }
        guard kopecks / 100 == amount, let exact = MinorUnits(Int(kopecks)) else {
            throw .invalidAmount.with("it has at most two decimals")
        }
        self = exact
    }

    /// The `Double` nearest to the amount.
    var hryvnias: Double { Double(value) / 100 }
}
