import FoundationEssentials
import PayrelayPrimitives

/// Dates in the format of this gateway, in UTC. Portmone's plugin reads them as two hours ahead of UTC, and a
/// published client reads them as Kyiv's time.
extension Date {
    /// The day as `dd.MM.yyyy`.
    var portmoneDay: String {
        let digits = Array(dayDigits.utf8)
        return String(decoding: digits[6...] + [0x2E] + digits[4..<6] + [0x2E] + digits[..<4], as: UTF8.self)
    }

    /// The moment as `dd.MM.yyyy HH:mm:ss`.
    var portmoneMoment: String {
        "\(portmoneDay) \(String(decoding: rfc3339.utf8.dropFirst(11).prefix(8), as: UTF8.self))"
    }

    /// The day as `yyyyMMdd`, which sorts by time.
    var dayDigits: String { String(decoding: rfc3339.utf8.prefix(10).filter(\.isASCIIDigit), as: UTF8.self) }
}
