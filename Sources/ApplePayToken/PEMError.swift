/// Why a text is not a trust anchor.
public struct TrustAnchorError: Error, Equatable, CustomStringConvertible {
    public let description: String
}
