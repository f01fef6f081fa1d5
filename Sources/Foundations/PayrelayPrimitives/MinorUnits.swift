/// An amount of money in minor units of its currency: 10000 is 100.00 AED or 10.000 KWD.
///
/// An amount is never negative and never exceeds ``limit``, and its arithmetic returns `nil` for other results.
/// So an amount from outside cannot trap, wrap around or become a different amount.
public struct MinorUnits: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// FORT's `amount` has at most ten digits.
    public static let limit = 9_999_999_999
    public static let zero = MinorUnits(inRange: 0)

    public let value: Int

    /// Returns `nil` if the number is negative or exceeds ``limit``.
    public init?(_ value: Int) {
        guard (0...Self.limit).contains(value) else { return nil }
        self.init(inRange: value)
    }

    /// Parses digits as FORT writes them. Returns `nil` for any other text: a sign, a leading zero, a fraction,
    /// an exponent, a space, digits of another script, or a number that exceeds ``limit``.
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

    /// Returns the sum; `nil` if it exceeds ``limit``.
    public func adding(_ other: MinorUnits) -> MinorUnits? {
        // Two numbers of ten digits cannot overflow.
        MinorUnits(value + other.value)
    }

    /// Returns the difference; `nil` if `other` is greater.
    public func subtracting(_ other: MinorUnits) -> MinorUnits? {
        MinorUnits(value - other.value)
    }

    /// The digits, as FORT expects them.
    public var description: String { String(value) }

    public static func < (one: MinorUnits, other: MinorUnits) -> Bool { one.value < other.value }
}

extension MinorUnits: ExpressibleByIntegerLiteral {
    /// Creates an amount from a literal. A literal that is out of range is a programming error and traps.
    public init(integerLiteral value: Int) {
        precondition((0...Self.limit).contains(value), "\(value) is not an amount")
        self.init(inRange: value)
    }
}

extension JSON {
    /// Creates a whole number.
    public init(_ amount: MinorUnits) {
        self.init(amount.value)
    }
}

extension MinorUnits {
    /// Returns the amount with all decimals of the currency, a decimal point and no grouping, as Apple Pay JS
    /// expects it, such as `10.500`.
    public func text(in currency: Currency) -> String {
        guard currency.exponent > 0 else { return description }
        let digits = String(repeating: "0", count: max(0, currency.exponent + 1 - description.count)) + description
        return "\(digits.dropLast(currency.exponent)).\(digits.suffix(currency.exponent))"
    }
}
