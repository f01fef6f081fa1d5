/// A client that was authenticated, and what it may do.
public struct AuthenticatedClient: Sendable, Equatable {
    /// Payments belong to a client: no other client sees them (S7).
    public let name: String
    public let scopes: Set<Scope>
    /// The only order that it may pay and read; nil without an order token.
    public let order: PinnedOrder?

    public init(name: String, scopes: Set<Scope>, order: PinnedOrder? = nil) {
        self.name = name
        self.scopes = scopes
        self.order = order
    }
}
