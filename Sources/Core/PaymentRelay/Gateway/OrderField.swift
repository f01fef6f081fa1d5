/// A field of an order that a gateway accepts beside the token.
public struct OrderField: Sendable, Equatable {
    public let name: String
    /// Whether a phone with an order token may choose the value. All other fields are fixed by the order token or
    /// left out.
    public let isCustomersOwn: Bool

    public init(_ name: String, isCustomersOwn: Bool = false) {
        self.name = name
        self.isCustomersOwn = isCustomersOwn
    }
}
