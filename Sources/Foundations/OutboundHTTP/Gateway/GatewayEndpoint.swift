public import PayrelayPrimitives

/// The URL of a payment gateway: `https`, or plain `http` on this machine (for a sandbox).
public struct GatewayEndpoint: Hashable, Sendable, CustomStringConvertible {
    public let url: String

    /// - Parameter url: a literal that is known to be valid.
    package init(known url: String) {
        self.url = url
    }

    /// - Throws: ``SecureURLError`` with the problem of the URL.
    public init(_ url: String) throws(SecureURLError) {
        try SecureURL.check(url)
        self.url = url
    }

    public var description: String { url }
}
