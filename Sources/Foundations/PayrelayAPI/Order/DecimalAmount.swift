#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
public import PayrelayPrimitives

extension MinorUnits {
    /// The minor units of an amount as people write it: `MinorUnits(Decimal(string: "10.500")!, .KWD)` is 10500.
    ///
    /// It never rounds. A literal such as `3.133` goes through `Double` and is another number; make the `Decimal` of a
    /// text or of whole numbers.
    ///
    /// - Throws: ``AmountError`` where the currency has fewer decimals than the amount needs, and for an amount that is
    ///   negative, not a number, or beyond ``limit``.
    public init(_ amount: Decimal, _ currency: Currency) throws(AmountError) {
        guard !amount.isNaN else { throw .notANumber }
        guard amount >= 0 else { throw .negative }
        // By its digits: multiplying would round a significand that is long.
        try self.init(decimal: "\(amount)", currency)
    }

    /// The minor units of an amount in text: digits, or digits, a point and digits. `10.50` is 1050 in AED; `10.500` is too
    /// exact for it.
    ///
    /// - Throws: ``AmountError``, for any other text ``AmountError/notANumber``.
    public init(decimal text: String, _ currency: Currency) throws(AmountError) {
        try self.init(decimal: text, exponent: currency.exponent)
    }

    /// As ``init(decimal:_:)``, of a currency with this many decimals.
    public init(decimal text: String, exponent: Int) throws(AmountError) {
        let parts = text.parts(at: ".", max: 2)
        guard let whole = parts.first,
            parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(\.isASCIIDigit) })
        else { throw .notANumber }
        let fraction = parts.count == 2 ? parts[1] : ""
        guard fraction.utf8.count <= exponent else { throw .tooManyDecimals(allowed: exponent) }
        let zeros = String(repeating: "0", count: exponent - fraction.utf8.count)
        let digits = (whole + fraction + zeros).dropping(first: "0")
        guard let units = MinorUnits(parsing: digits.isEmpty ? "0" : String(digits)) else { throw .tooLarge }
        self = units
    }

    /// The amount as people write it: 10500 in KWD is 10.5.
    public func decimal(in currency: Currency) -> Decimal {
        Decimal(sign: .plus, exponent: -currency.exponent, significand: Decimal(value))
    }
}

/// Why an amount has no minor units.
public enum AmountError: Error, Hashable, Sendable, CustomStringConvertible {
    /// `Decimal.nan`, or a text that is no decimal.
    case notANumber
    /// Less than zero.
    case negative
    /// It has more decimals than the currency.
    case tooManyDecimals(allowed: Int)
    /// More than FORT takes: ten digits of minor units.
    case tooLarge

    public var description: String {
        switch self {
        case .notANumber: "is not a number"
        case .negative: "is negative"
        case .tooManyDecimals(let allowed): "has more than \(allowed) decimals; it is not rounded"
        case .tooLarge: "is more than \(MinorUnits.limit) minor units"
        }
    }
}
