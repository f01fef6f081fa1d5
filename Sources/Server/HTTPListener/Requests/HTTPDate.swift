import Glibc
import Synchronization

/// The time for the `Date` of a response (RFC 9110, 5.6.7 and 6.6.1), written once a second.
enum HTTPDate {
    private struct Written {
        var second: Int
        var text: String
    }

    private static let last = Mutex(Written(second: .min, text: ""))

    static var now: String {
        let second = time(nil)
        return last.withLock { last in
            if last.second != second { last = Written(second: second, text: text(ofSecond: second)) }
            return last.text
        }
    }

    /// - Parameter second: since 1970, in UTC.
    static func text(ofSecond second: Int) -> String {
        var (second, parts) = (second, tm())
        var text = [CChar](repeating: 0, count: 32)
        // This process sets no locale, so the names are English.
        guard gmtime_r(&second, &parts) != nil else { return "" }
        let length = strftime(&text, text.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
        return String(decoding: text.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
