import HTTPTypes

/// The cookie of a session.
///
/// Over TLS its name begins with `__Host-`: browsers take it from this host alone, over TLS alone, and for no other host. Over plain
/// HTTP, which is on loopback alone, browsers do not take such a name.
struct SessionCookie: Sendable {
    let isTLS: Bool

    var name: String { isTLS ? "__Host-payrelay" : "payrelay_console" }

    /// What the browser sends; nil where it sends none. Of several, none counts: another page has set one of them.
    func value(in fields: HTTPFields) -> String? {
        let values = fields[values: .cookie].flatMap { $0.split(separator: ";") }.compactMap { pair -> Substring? in
            let parts = pair.drop { $0 == " " }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return parts.count == 2 && parts[0] == name ? parts[1] : nil
        }
        guard values.count == 1, (1...128).contains(values[0].utf8.count) else { return nil }
        return String(values[0])
    }

    /// `Set-Cookie` for a session that has begun.
    func setting(_ value: String) -> String { "\(name)=\(value); \(attributes)" }

    /// `Set-Cookie` for one that has ended.
    var clearing: String { "\(name)=; Max-Age=0; \(attributes)" }

    /// A `__Host-` cookie must have the path `/`.
    private var attributes: String {
        "Path=/; HttpOnly; SameSite=Strict\(isTLS ? "; Secure" : "")"
    }
}
