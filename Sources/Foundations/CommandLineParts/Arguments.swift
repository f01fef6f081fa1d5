public import ArgumentParser
import PayrelayAPI
public import PayrelayPrimitives

// Types of arguments that several commands share.

/// A duration on the command line: a number and `ms`, `s`, `m` or `h`.
package struct TimeSpan: ExpressibleByStringLiteral, CustomStringConvertible {
    package let value: Duration
    package let description: String

    /// - Throws: a usage error that explains how durations are written.
    package init(parsing text: String) throws(UsageError) {
        let start = text.utf8.firstIndex { !$0.isASCIIDigit && $0 != UInt8(ascii: ".") } ?? text.endIndex
        let unit = text[start...]
        let scales = ["ms": 0.001, "s": 1, "m": 60, "h": 3_600]
        guard let number = Double(text[..<start]) else {
            throw UsageError("a duration is a number with its unit: 500ms, 30s, 5m or 1h")
        }
        guard let scale = scales[String(unit)] else {
            throw UsageError(
                "a duration has its unit: \(unit.isEmpty ? "\(text)s, \(text)m" : "500ms, 30s, 5m") or 1h")
        }
        guard number * scale <= 7 * 86_400 else { throw UsageError("a duration is at most 168h") }
        // Rounded to whole milliseconds, because a `Double` of seconds is not exact as a `Duration`.
        value = .milliseconds(Int((number * scale * 1_000).rounded()))
        description = text
    }

    /// Creates a default from a literal. The tests of the command line read every default.
    package init(stringLiteral text: String) {
        do {
            try self.init(parsing: text)
        } catch {
            preconditionFailure("\(text) is not a duration")
        }
    }

    /// Returns the duration for a setting in whole seconds.
    ///
    /// - Throws: a usage error that names the option.
    package func wholeSeconds(_ option: String, in range: ClosedRange<Int>) throws(UsageError) -> Int {
        let (seconds, rest) = value.components
        guard rest == 0, let seconds = Int(exactly: seconds), range.contains(seconds) else {
            throw UsageError("\(option) must be whole seconds, \(range.lowerBound)s to \(range.upperBound)s")
        }
        return seconds
    }
}

/// The unit of the amounts on a command line: either the currency's major unit, as people write amounts, or whole
/// minor units, as in the API.
package struct AmountUnit: ParsableArguments {
    @Flag(
        name: .customLong("minor"), help: "Amounts are in whole minor units, as the API has them: 10000 is 100.00 AED.")
    package var isMinor = false

    package init() {}

    /// Parses the amount in an option.
    ///
    /// - Parameter currency: `nil` if the currency is not known. The amount is then in minor units.
    /// - Throws: a usage error that names the option.
    package func amount(_ text: String, _ option: String, in currency: Currency?) throws(UsageError) -> MinorUnits {
        guard !isMinor, let currency else {
            guard let amount = MinorUnits(parsing: text) else {
                throw UsageError("\(option) must be digits: a whole number of minor units")
            }
            return amount
        }
        do throws(AmountError) {
            return try MinorUnits(decimal: text, currency)
        } catch {
            throw UsageError("\(option) \(error)")
        }
    }
}

extension HexText: ExpressibleByArgument {
    /// Parses 32 bytes in hex, because commands take no value in hex other than a SHA-256.
    public init?(argument: String) {
        guard let value = try? HexText(argument), value.bytes.count == 32 else { return nil }
        self = value
    }
}
