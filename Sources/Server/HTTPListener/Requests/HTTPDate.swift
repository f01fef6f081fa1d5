import Glibc

/// The time for the `Date` of a response (RFC 9110, 5.6.7 and 6.6.1).
enum HTTPDate {
    static var now: String { text(ofSecond: time(nil)) }

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
