public import PayrelayPrimitives

/// Where FORT takes requests: an `https` URL, or a plain `http` one on this machine (for a sandbox).
public struct FortEndpoint: Hashable, Sendable, CustomStringConvertible {
    public let url: String

    /// APS's test environment.
    public static let test = FortEndpoint(known: "https://sbpaymentservices.payfort.com/FortAPI/paymentApi")
    /// APS's production environment: real money.
    public static let production = FortEndpoint(known: "https://paymentservices.payfort.com/FortAPI/paymentApi")

    private init(known url: String) {
        self.url = url
    }

    /// - Throws: ``SecureURLError``, which says what is wrong with the URL.
    public init(_ url: String) throws(SecureURLError) {
        try SecureURL.check(url)
        self.url = url
    }

    public var description: String { url }
}
