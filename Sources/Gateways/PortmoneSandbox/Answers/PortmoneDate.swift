import FoundationEssentials
import PayrelayPrimitives

/// Dates as this gateway writes them, in UTC. Portmone's own plugin reads them two hours ahead of it, a published client in Kyiv's time.
extension Date {
    /// `dd.MM.yyyy`.
    var portmoneDay: String {
        let digits = Array(dayDigits.utf8)
        return String(decoding: digits[6...] + [0x2E] + digits[4..<6] + [0x2E] + digits[..<4], as: UTF8.self)
    }

    /// `dd.MM.yyyy HH:mm:ss`.
    var portmoneMoment: String {
        "\(portmoneDay) \(String(decoding: rfc3339.utf8.dropFirst(11).prefix(8), as: UTF8.self))"
    }

    /// `yyyyMMdd`, which sorts by time.
    var dayDigits: String { String(decoding: rfc3339.utf8.prefix(10).filter(\.isASCIIDigit), as: UTF8.self) }
}
