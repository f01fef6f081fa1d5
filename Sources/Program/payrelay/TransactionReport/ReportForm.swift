import FoundationEssentials
import PayrelayPrimitives

/// How a report writes amounts and times.
struct ReportForm: Sendable {
    /// The unit of amounts.
    enum AmountUnit: String, Sendable, CaseIterable {
        /// Major units: 100.00 is 100 dirhams.
        case major
        /// Minor units: 10000 is 100 dirhams, as in the messages of many gateways.
        case minor
    }

    /// The order of the parts of a date.
    enum DateOrder: String, Sendable, CaseIterable {
        case yearMonthDay = "ymd"
        case dayMonthYear = "dmy"
        case monthDayYear = "mdy"
    }

    var amounts: AmountUnit
    /// The character between groups of three digits in an amount in major units; `nil` if there is none.
    var thousands: Unicode.Scalar?
    var dates: DateOrder
    /// The offset of times without an offset.
    var zone: UTCOffset

    init(
        amounts: AmountUnit = .major, thousands: Unicode.Scalar? = nil, dates: DateOrder = .yearMonthDay,
        zone: UTCOffset = .utc
    ) {
        self.amounts = amounts
        self.thousands = thousands
        self.dates = dates
        self.zone = zone
    }

    /// Returns an amount in a currency; `nil` if the text is not an amount, or has more decimals than the
    /// currency.
    func amount(_ text: String, of currency: Currency) -> MinorUnits? {
        guard amounts == .major else { return MinorUnits(parsing: text) }
        let parts = text.parts(at: ".")
        guard parts.count <= 2, let whole = wholePart(parts[0]) else { return nil }
        var decimals = parts.count == 2 ? String(parts[1]) : ""
        guard parts.count == 1 || !decimals.isEmpty, decimals.utf8.allSatisfy(\.isASCIIDigit) else { return nil }
        while decimals.utf8.count > currency.exponent, decimals.ends(with: "0") { decimals.removeLast() }
        guard decimals.utf8.count <= currency.exponent else { return nil }
        decimals += String(repeating: "0", count: currency.exponent - decimals.utf8.count)
        let digits = (whole + decimals).dropping(first: "0")
        return MinorUnits(parsing: digits.isEmpty ? "0" : String(digits))
    }

    /// Returns the digits without the group separators; `nil` if they are not a number.
    private func wholePart(_ text: Substring) -> String? {
        var groups = [text]
        if let thousands { groups = text.parts(at: thousands) }
        guard groups.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(\.isASCIIDigit) }),
            groups.count == 1 || (groups[0].count <= 3 && groups.dropFirst().allSatisfy { $0.count == 3 })
        else { return nil }
        let digits = groups.joined()
        return digits.utf8.count <= 12 ? digits : nil
    }

    /// Returns the time span of a date with an optional time and offset, which is as long as the precision of the
    /// text: a day for `2026-11-23`, a minute for `2026-11-23 10:00`, a second for `2026-11-23T10:00:00.5+04:00`.
    /// The parts of the date may have another order, and may be separated by `-`, `/` or `.`. Returns `nil` if
    /// the text is not a time.
    func span(_ text: String) -> Range<Date>? {
        let start = text.utf8.firstIndex { $0 == UInt8(ascii: "T") || $0 == UInt8(ascii: " ") } ?? text.endIndex
        guard let day = day(text[..<start]) else { return nil }
        var clock = text[start...].dropFirst()
        guard !clock.isEmpty else { return Self.span(from: day.start(at: zone), seconds: 86_400) }
        var offset = zone
        if let mark = clock.utf8.lastIndex(where: { "Z+-".utf8.contains($0) }) {
            guard let found = UTCOffset(parsing: String(clock[mark...])) else { return nil }
            offset = found
            clock = clock[..<mark].trimmedOfSpaces
        }
        guard let (seconds, length) = Self.seconds(clock) else { return nil }
        return Self.span(from: day.start(at: offset) + seconds, seconds: length)
    }

    private static func span(from start: Date, seconds: Double) -> Range<Date> { start..<(start + seconds) }

    private func day(_ text: Substring) -> CalendarDay? {
        guard let separator = text.unicodeScalars.first(where: { ["-", "/", "."].contains($0) }) else { return nil }
        let parts = text.parts(at: separator).map { Self.number($0, 1...4) }
        guard parts.count == 3, let one = parts[0], let two = parts[1], let three = parts[2] else { return nil }
        return switch dates {
        case .yearMonthDay: CalendarDay(year: one, month: two, day: three)
        case .dayMonthYear: CalendarDay(year: three, month: two, day: one)
        case .monthDayYear: CalendarDay(year: three, month: one, day: two)
        }
    }

    /// Returns the seconds since midnight of `10:00`, `10:00:00` or `10:00:00.123`, and the precision of the text
    /// in seconds.
    private static func seconds(_ text: Substring) -> (sinceMidnight: Double, open: Double)? {
        let parts = text.parts(at: ":")
        guard (2...3).contains(parts.count), let hours = number(parts[0], 1...2), let minutes = number(parts[1], 2...2),
            hours < 24, minutes < 60
        else { return nil }
        guard parts.count == 3 else { return (Double(hours * 3_600 + minutes * 60), 60) }
        let second = parts[2].parts(at: ".")
        guard second.count <= 2, let whole = number(second[0], 2...2), whole <= 60 else { return nil }
        var fraction = 0.0
        if second.count == 2 {
            guard number(second[1].prefix(9), 1...9) != nil, let value = Double("0." + second[1].prefix(9)) else {
                return nil
            }
            fraction = value
        }
        return (Double(hours * 3_600 + minutes * 60 + whole) + fraction, 1)
    }

    private static func number(_ text: Substring, _ length: ClosedRange<Int>) -> Int? {
        guard length.contains(text.utf8.count), text.utf8.allSatisfy(\.isASCIIDigit) else { return nil }
        return Int(text)
    }
}
