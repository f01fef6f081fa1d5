import PayrelayPrimitives

import struct FoundationEssentials.Date

/// Parses the `Time` of a signingTime attribute (RFC 5652, 11.3): UTCTime until 2049 and GeneralizedTime from
/// then on, both with seconds and `Z`. A time before 1970 is rejected: Apple did not sign then.
enum ASN1Time {
    /// Parses a time.
    ///
    /// - Parameter der: the value in DER.
    /// - Returns: the time; `nil` if the value is not such a time.
    static func date(_ der: ArraySlice<UInt8>) -> Date? {
        guard der.count >= 2 else { return nil }
        let (tag, length, text) = (der[der.startIndex], der[der.startIndex + 1], der.dropFirst(2))
        guard text.count == length, text.last == UInt8(ascii: "Z"),
            text.dropLast().allSatisfy(\.isASCIIDigit)
        else { return nil }
        switch (tag, text.count) {
        case (0x17, 13):
            let year = pair(0, of: text)
            return date(year: year + (year < 50 ? 2000 : 1900), after: 2, in: text)
        case (0x18, 15): return date(year: pair(0, of: text) * 100 + pair(2, of: text), after: 4, in: text)
        default: return nil
        }
    }

    /// - Parameter place: the index of the two-digit field after the year.
    private static func date(year: Int, after place: Int, in text: ArraySlice<UInt8>) -> Date? {
        date(
            year: year, month: pair(place, of: text), day: pair(place + 2, of: text), hour: pair(place + 4, of: text),
            minute: pair(place + 6, of: text), second: pair(place + 8, of: text))
    }

    /// Returns the number that two decimal digits represent.
    private static func pair(_ place: Int, of text: ArraySlice<UInt8>) -> Int {
        let (tens, ones) = (text[text.startIndex + place], text[text.startIndex + place + 1])
        return Int(tens & 0x0F) * 10 + Int(ones & 0x0F)
    }

    /// Returns a time of the Gregorian calendar in UTC; `nil` if there is no such day or time, or if it is before
    /// 1970.
    static func date(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) -> Date? {
        guard let day = CalendarDay(year: year, month: month, day: day), (0..<24).contains(hour),
            (0..<60).contains(minute), (0..<60).contains(second)
        else { return nil }
        return day.start().addingTimeInterval(Double(hour * 3600 + minute * 60 + second))
    }
}
