public import HTTPTypes
import PayrelayPrimitives

/// The cookie of a session.
///
/// Over TLS its name begins with `__Host-`: browsers take it from this host alone, over TLS alone, and for no other host. Over plain
/// HTTP, which is on loopback alone, browsers do not take such a name.
public struct SessionCookie: Sendable {
    public let name: String
    private let isTLS: Bool

    /// - Parameters:
    ///   - name: over TLS; it begins with `__Host-`.
    ///   - plainName: over plain HTTP.
    public init(_ name: String, plainName: String, isTLS: Bool) {
        self.name = isTLS ? name : plainName
        self.isTLS = isTLS
    }

    /// Returns the cookie's value; nil if absent. Of several, none counts: another page has set one of them.
    public func value(in fields: HTTPFields) -> String? {
        let values = fields[values: .cookie].flatMap { $0.parts(at: ";") }.compactMap { pair -> Substring? in
            let (own, value) = pair.trimmedOfSpaces.cut(at: "=")
            return own.isExactly(name) ? value : nil
        }
        guard values.count == 1, (1...128).contains(values[0].utf8.count) else { return nil }
        return String(values[0])
    }

    /// `Set-Cookie` for a session that has begun.
    public func setting(_ value: String) -> String { "\(name)=\(value); \(attributes)" }

    /// `Set-Cookie` for one that has ended.
    public var clearing: String { "\(name)=; Max-Age=0; \(attributes)" }

    /// A `__Host-` cookie must have the path `/`.
    private var attributes: String {
        "Path=/; HttpOnly; SameSite=Strict\(isTLS ? "; Secure" : "")"
    }
}
