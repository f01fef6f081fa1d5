import PayrelayPrimitives

/// Amounts of the surface are `Double`, as Portmone has them; everything behind it counts kopecks.
extension MinorUnits {
    /// The kopecks of an amount that is written with at most two decimals: 10.1 is 1010, although no `Double` is 10.1.
    ///
    /// - Throws: 2004 for everything else: negative, not a number, infinite, more decimals, beyond 99999999.99.
    init(hryvnias amount: Double) throws(PortmoneError) {
        guard !amount.isNaN, amount >= 0 else { throw .invalidAmount }
        // Below 2^53 both are exact integers, and a quotient is rounded to the Double that the decimal literal is read as.
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
