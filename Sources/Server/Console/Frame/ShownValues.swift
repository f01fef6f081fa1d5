import Charts
import FoundationEssentials
import PayrelayAPI
import PayrelayPrimitives

extension View {
    /// A moment, for a `time` element: `iso` for its attribute and `utc` for its text.
    init(_ moment: Date?) {
        guard let moment else {
            self = .none
            return
        }
        self = ["iso": .text(moment.rfc3339), "utc": .text(moment.utcText)]
    }
}

extension Date {
    /// `2026-01-31 11:30:00 UTC`.
    var utcText: String { "\(rfc3339.cut(at: "Z").before.replacingEach("T", with: " ")) UTC" }
}

/// Amounts as people write them.
enum Money {
    /// `1,250.00 AED`, `10.000 KWD`.
    static func text(_ amount: MinorUnits, _ code: String) -> String {
        "\(grouped(number(amount, code))) \(code)"
    }

    /// A sum, which may be beyond what one payment can be.
    static func text(sum: Int, _ code: String) -> String {
        let exponent = Currency(code: code)?.exponent ?? 0
        guard exponent > 0 else { return "\(sum.text) \(code)" }
        let digits = "\(sum.magnitude)"
        let padded = String(repeating: "0", count: max(0, exponent + 1 - digits.count)) + digits
        return "\(sum < 0 ? "-" : "")\(grouped(String(padded.dropLast(exponent)))).\(padded.suffix(exponent)) \(code)"
    }

    /// With a comma between thousands: `1,250.00`.
    private static func grouped(_ number: String) -> String {
        let (whole, fraction) = number.cut(at: ".")
        return (Int(whole)?.text ?? String(whole)) + (fraction.map { ".\($0)" } ?? "")
    }

    /// Without the currency; what is typed into a form.
    static func number(_ amount: MinorUnits, _ code: String) -> String {
        Currency(code: code).map { amount.text(in: $0) } ?? "\(amount)"
    }

    /// Parses an amount in the form that ``number(_:_:)`` writes.
    ///
    /// - Throws: ``AmountError``.
    static func parse(_ text: String, _ code: String) throws(AmountError) -> MinorUnits {
        guard let currency = Currency(code: code) else {
            guard let amount = MinorUnits(parsing: text) else { throw .notANumber }
            return amount
        }
        guard let number = DecimalText.plain(text) else { throw .notANumber }
        // `6,250` is six and a quarter for some, and thousands for others: that matters in a currency with three decimals.
        let isAmbiguous = text.has(",") && !text.has(".") && !number.has(".")
        guard !isAmbiguous || currency.exponent < 3 else { throw .notANumber }
        return try MinorUnits(decimal: number, currency)
    }
}
