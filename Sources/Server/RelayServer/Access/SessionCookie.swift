public import HTTPTypes
import PayrelayPrimitives

/// The cookie of a browser session.
///
/// Over TLS its name begins with `__Host-`. Browsers accept such a cookie only over TLS, only from the host that
/// it is for, and send it to no other host. Browsers reject such a name over plain HTTP, which is served only on
/// loopback, so another name is used there.
public struct SessionCookie: Sendable {
    public let name: String
    private let isTLS: Bool

    /// - Parameters:
    ///   - name: the name over TLS. It begins with `__Host-`.
    ///   - plainName: the name over plain HTTP.
    public init(_ name: String, plainName: String, isTLS: Bool) {
        self.name = isTLS ? name : plainName
        self.isTLS = isTLS
    }

    /// Returns the cookie's value; `nil` if there is none. If there is more than one, returns `nil`, because
    /// another page has set one of them.
    public func value(in fields: HTTPFields) -> String? {
        let values = fields[values: .cookie].flatMap { $0.parts(at: ";") }.compactMap { pair -> Substring? in
            let (own, value) = pair.trimmedOfSpaces.cut(at: "=")
            return own.isExactly(name) ? value : nil
        }
        guard values.count == 1, (1...128).contains(values[0].utf8.count) else { return nil }
        return String(values[0])
    }

    /// Returns the `Set-Cookie` value that begins a session.
    public func setting(_ value: String) -> String { "\(name)=\(value); \(attributes)" }

    /// The `Set-Cookie` value that ends a session.
    public var clearing: String { "\(name)=; Max-Age=0; \(attributes)" }

    /// A `__Host-` cookie must have the path `/`.
    private var attributes: String {
        "Path=/; HttpOnly; SameSite=Strict\(isTLS ? "; Secure" : "")"
    }
}
