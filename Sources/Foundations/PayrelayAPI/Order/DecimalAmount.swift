public import PayrelayPrimitives

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension MinorUnits {
    /// Converts an amount as people write it into minor units: `MinorUnits(Decimal(string: "10.500")!, .KWD)` is
    /// 10500.
    ///
    /// Never rounds. A literal such as `3.133` is converted through `Double` and becomes a different number, so
    /// create the `Decimal` from a text or from whole numbers.
    ///
    /// - Throws: ``AmountError`` if the amount has more decimals than the currency, is negative, is not a number,
    ///   or exceeds ``limit``.
    public init(_ amount: Decimal, _ currency: Currency) throws(AmountError) {
        guard !amount.isNaN else { throw .notANumber }
        guard amount >= 0 else { throw .negative }
        // Converted by its digits, because multiplication would round a long significand.
        try self.init(decimal: "\(amount)", currency)
    }

    /// Converts an amount in text into minor units: digits, or digits, a decimal point and digits. `10.50` is
    /// 1050 in AED; `10.500` has too many decimals for AED.
    ///
    /// - Throws: ``AmountError``. For any other text, ``AmountError/notANumber``.
    public init(decimal text: String, _ currency: Currency) throws(AmountError) {
        try self.init(decimal: text, exponent: currency.exponent)
    }

    /// The same as ``init(decimal:_:)``, for a currency with this many decimals.
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

    /// Returns the amount as people write it: 10500 in KWD is 10.5.
    public func decimal(in currency: Currency) -> Decimal {
        Decimal(sign: .plus, exponent: -currency.exponent, significand: Decimal(value))
    }
}

/// Why an amount cannot be converted into minor units.
public enum AmountError: Error, Hashable, Sendable, CustomStringConvertible {
    /// `Decimal.nan`, or a text that is not a decimal number.
    case notANumber
    /// The amount is less than zero.
    case negative
    /// The amount has more decimals than the currency.
    case tooManyDecimals(allowed: Int)
    /// The amount exceeds FORT's limit of ten digits in minor units.
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
