import FoundationEssentials
import Observability
import PayrelayAPI
import PayrelayPrimitives

extension View {
    /// A moment for a `time` element: `iso` is its attribute and `utc` is its text.
    init(_ moment: Date?) {
        guard let moment else {
            self = .none
            return
        }
        self = ["iso": .text(moment.rfc3339), "utc": .text(moment.utcText)]
    }
}

extension Date {
    /// The moment in UTC, such as `2026-01-31 11:30:00 UTC`.
    var utcText: String { "\(rfc3339.cut(at: "Z").before.replacingEach("T", with: " ")) UTC" }
}

/// Amounts as people write them.
enum Money {
    /// Returns an amount such as `1,250.00 AED` or `10.000 KWD`.
    static func text(_ amount: MinorUnits, _ code: String) -> String {
        "\(grouped(number(amount, code))) \(code)"
    }

    /// Returns a sum, which may exceed the limit of a single payment.
    static func text(sum: Int, _ code: String) -> String {
        let exponent = Currency(code: code)?.exponent ?? 0
        guard exponent > 0 else { return "\(sum.text) \(code)" }
        let digits = "\(sum.magnitude)"
        let padded = String(repeating: "0", count: max(0, exponent + 1 - digits.count)) + digits
        return "\(sum < 0 ? "-" : "")\(grouped(String(padded.dropLast(exponent)))).\(padded.suffix(exponent)) \(code)"
    }

    /// Returns the number with commas between thousands, such as `1,250.00`.
    private static func grouped(_ number: String) -> String {
        let (whole, fraction) = number.cut(at: ".")
        return (Int(whole)?.text ?? String(whole)) + (fraction.map { ".\($0)" } ?? "")
    }

    /// Returns the amount without its currency, as it is typed into a form.
    static func number(_ amount: MinorUnits, _ code: String) -> String {
        Currency(code: code).map { amount.text(in: $0) } ?? "\(amount)"
    }

    /// Parses an amount in the form that ``number(_:_:)`` writes.
    ///
    /// - Throws: ``AmountError`` if the text is not an amount of the currency.
    static func parse(_ text: String, _ code: String) throws(AmountError) -> MinorUnits {
        guard let currency = Currency(code: code) else {
            guard let amount = MinorUnits(parsing: text) else { throw .notANumber }
            return amount
        }
        guard let number = DecimalText.plain(text) else { throw .notANumber }
        // `6,250` means six and a quarter to some people and six thousand to others. In a currency with three
        // decimals both are possible, so the text is rejected.
        let isAmbiguous = text.has(",") && !text.has(".") && !number.has(".")
        guard !isAmbiguous || currency.exponent < 3 else { throw .notANumber }
        return try MinorUnits(decimal: number, currency)
    }
}
