import Foundation
import PayrelayPrimitives

/// The IANA time zone database, as the ICU of Swift's Foundation has it.
enum ZoneDatabase {
    /// Reads `Z`, `+04:00`, or a zone's name, such as `Asia/Dubai`.
    static func zone(_ text: String) -> ClockZone? {
        if let offset = UTCOffset(parsing: text) { return .fixed(offset) }
        return named(text)
    }

    /// Reads a zone's name.
    static func named(_ text: String) -> ClockZone? {
        // ICU reads up to a NUL. Foundation also reads `GMT+5`, five hours ahead of UTC, whereas `Etc/GMT+5` is five hours behind.
        guard text.utf8.count <= 64, text.utf8.allSatisfy(isOfNames), let zone = TimeZone(identifier: text),
            zone.identifier == text || text == "UTC"
        else { return nil }
        return .named(text, zone)
    }

    private static func isOfNames(_ byte: UInt8) -> Bool {
        byte.isASCIILetter || byte.isASCIIDigit || "_+-/".utf8.contains(byte)
    }
}
