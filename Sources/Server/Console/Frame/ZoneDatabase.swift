import Foundation
import PayrelayPrimitives

/// The IANA time zone database in the ICU of Swift's Foundation.
enum ZoneDatabase {
    /// Returns the zone for `Z`, for an offset such as `+04:00`, or for a name such as `Asia/Dubai`.
    static func zone(_ text: String) -> ClockZone? {
        if let offset = UTCOffset(parsing: text) { return .fixed(offset) }
        return named(text)
    }

    /// Returns the zone with a name.
    static func named(_ text: String) -> ClockZone? {
        // ICU stops reading at a NUL. Foundation also accepts `GMT+5` for five hours ahead of UTC, whereas
        // `Etc/GMT+5` is five hours behind, so the name must be unchanged.
        guard text.utf8.count <= 64, text.utf8.allSatisfy(isOfNames), let zone = TimeZone(identifier: text),
            zone.identifier == text || text == "UTC"
        else { return nil }
        return .named(text, zone)
    }

    private static func isOfNames(_ byte: UInt8) -> Bool {
        byte.isASCIILetter || byte.isASCIIDigit || "_+-/".utf8.contains(byte)
    }
}
