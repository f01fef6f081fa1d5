public import PayrelayPrimitives

/// Where a payment gateway takes requests: an `https` URL, or a plain `http` one on this machine (for a sandbox).
public struct GatewayEndpoint: Hashable, Sendable, CustomStringConvertible {
    public let url: String

    /// - Parameter url: a literal that is known to be right.
    package init(known url: String) {
        self.url = url
    }

    /// - Throws: ``SecureURLError``, which says what is wrong with the URL.
    public init(_ url: String) throws(SecureURLError) {
        try SecureURL.check(url)
        self.url = url
    }

    public var description: String { url }
}
