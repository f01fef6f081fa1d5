import FoundationEssentials
import PayrelayPrimitives

/// The IANA time zone database of the machine: Debian's `tzdata`. A file that is not there is a zone that is not known.
enum ZoneDatabase {
    private static let folder = "/usr/share/zoneinfo/"

    /// Reads `Z`, `+04:00`, or a zone's name, such as `Asia/Dubai`.
    static func zone(_ text: String) -> ClockZone? {
        if let offset = UTCOffset(parsing: text) { return .fixed(offset) }
        return named(text)
    }

    /// Reads a zone's name. No text leads out of the folder.
    static func named(_ text: String) -> ClockZone? {
        let parts = text.parts(at: "/")
        guard (1...3).contains(parts.count), parts.allSatisfy(isPart),
            let data = FileManager.default.contents(atPath: folder + text),
            let rules = TimeZoneRules(parsing: Array(data))
        else { return nil }
        return .named(text, rules)
    }

    private static func isPart(_ text: Substring) -> Bool {
        guard (1...32).contains(text.utf8.count), text.utf8.first.map(\.isASCIILetter) ?? false else { return false }
        return text.utf8.allSatisfy {
            $0.isASCIILetter || $0.isASCIIDigit
                || [UInt8(ascii: "_"), UInt8(ascii: "+"), UInt8(ascii: "-")].contains($0)
        }
    }
}
