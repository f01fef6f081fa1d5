import struct FoundationEssentials.Date

/// The `Time` of a signingTime attribute (RFC 5652, 11.3): UTCTime from 1950 to 2049, GeneralizedTime otherwise, both
/// with seconds and `Z`.
enum ASN1Time {
    /// - Parameter der: the value in DER.
    /// - Returns: nil where it is no such time.
    static func date(_ der: [UInt8]) -> Date? {
        if let text = DER.content(of: der, tag: 0x17), let numbers = pairs(text, count: 6) {
            return date(year: numbers[0] + (numbers[0] < 50 ? 2000 : 1900), numbers[1...])
        }
        if let text = DER.content(of: der, tag: 0x18), let numbers = pairs(text, count: 7) {
            return date(year: numbers[0] * 100 + numbers[1], numbers[2...])
        }
        return nil
    }

    /// Pairs of decimal digits, and `Z` after them.
    private static func pairs(_ text: [UInt8], count: Int) -> [Int]? {
        guard text.count == 2 * count + 1, text.last == UInt8(ascii: "Z") else { return nil }
        let digits = text.dropLast().map { Int($0) - Int(UInt8(ascii: "0")) }
        guard digits.allSatisfy((0...9).contains) else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] * 10 + digits[$0 + 1] }
    }

    private static func date(year: Int, _ rest: ArraySlice<Int>) -> Date? {
        let fields = Array(rest)
        return date(
            year: year, month: fields[0], day: fields[1], hour: fields[2], minute: fields[3], second: fields[4])
    }

    /// A time of the Gregorian calendar in UTC; nil where there is no such day or time.
    static func date(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) -> Date? {
        let isLeap = year.isMultiple(of: 4) && !year.isMultiple(of: 100) || year.isMultiple(of: 400)
        let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard year >= 1, (1...12).contains(month), (1...lengths[month - 1]).contains(day), (0..<24).contains(hour),
            (0..<60).contains(minute), (0..<60).contains(second)
        else { return nil }
        let past = year - 1
        let days = past * 365 + past / 4 - past / 100 + past / 400 + lengths[..<(month - 1)].reduce(0, +) + day - 1
        let daysBefore1970 = 719_162
        let seconds = ((days - daysBefore1970) * 24 + hour) * 3600 + minute * 60 + second
        return Date(timeIntervalSince1970: Double(seconds))
    }
}
