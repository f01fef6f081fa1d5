/// An authenticated client, and what it may do.
public struct AuthenticatedClient: Sendable, Equatable {
    /// The client's name. Payments belong to a client, and no other client can see them (S7).
    public let name: String
    public let scopes: Set<Scope>
    /// The only order that the client may pay and read; `nil` if the client did not use an order token.
    public let order: PinnedOrder?

    public init(name: String, scopes: Set<Scope>, order: PinnedOrder? = nil) {
        self.name = name
        self.scopes = scopes
        self.order = order
    }
}
