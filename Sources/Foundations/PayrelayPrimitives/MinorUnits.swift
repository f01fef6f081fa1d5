/// An amount of money in minor units of its currency: 10000 is 100.00 AED, and 10.000 KWD.
///
/// It is never negative and never beyond ``limit``, and its arithmetic says where a result would be: no amount that
/// comes from outside can trap, wrap around or become another one.
public struct MinorUnits: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// FORT's `amount` has ten digits at the most.
    public static let limit = 9_999_999_999
    public static let zero = MinorUnits(inRange: 0)

    public let value: Int

    /// Nil where the number is negative or beyond ``limit``.
    public init?(_ value: Int) {
        guard (0...Self.limit).contains(value) else { return nil }
        self.init(inRange: value)
    }

    /// Reads digits as FORT writes them. Nil for anything else: a sign, a zero before other digits, a fraction, an
    /// exponent, a space, another script's digits, more than ``limit``.
    public init?(parsing text: String) {
        let digits = text.utf8
        guard (1...10).contains(digits.count), digits.allSatisfy(\.isASCIIDigit),
            digits.count == 1 || digits.first != 0x30
        else { return nil }
        self.init(inRange: digits.reduce(0) { $0 * 10 + Int($1 - 0x30) })
    }

    private init(inRange value: Int) {
        self.value = value
    }

    /// Nil where the sum is beyond ``limit``.
    public func adding(_ other: MinorUnits) -> MinorUnits? {
        // Two numbers of ten digits: no overflow.
        MinorUnits(value + other.value)
    }

    /// Nil where `other` is more.
    public func subtracting(_ other: MinorUnits) -> MinorUnits? {
        MinorUnits(value - other.value)
    }

    /// Digits, as FORT takes them.
    public var description: String { String(value) }

    public static func < (one: MinorUnits, other: MinorUnits) -> Bool { one.value < other.value }
}

extension MinorUnits: ExpressibleByIntegerLiteral {
    /// For amounts that stand in the source. One out of range is a mistake in the source, and traps.
    public init(integerLiteral value: Int) {
        precondition((0...Self.limit).contains(value), "\(value) is not an amount")
        self.init(inRange: value)
    }
}

extension JSON {
    /// As a whole number.
    public init(_ amount: MinorUnits) {
        self.init(amount.value)
    }
}

extension MinorUnits {
    /// The amount with all of the currency's decimals, a point and no grouping, as Apple Pay JS takes it: `10.500`.
    public func text(in currency: Currency) -> String {
        guard currency.exponent > 0 else { return description }
        let digits = String(repeating: "0", count: max(0, currency.exponent + 1 - description.count)) + description
        return "\(digits.dropLast(currency.exponent)).\(digits.suffix(currency.exponent))"
    }
}
