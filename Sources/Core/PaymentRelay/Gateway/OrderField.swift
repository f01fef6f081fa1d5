/// A field of an order that a gateway takes beside the token.
public struct OrderField: Sendable, Equatable {
    public let name: String
    /// Whether a phone with an order token may choose it. All else the token pins, or it is left out.
    public let isCustomersOwn: Bool

    public init(_ name: String, isCustomersOwn: Bool = false) {
        self.name = name
        self.isCustomersOwn = isCustomersOwn
    }
}
