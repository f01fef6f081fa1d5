import PayrelayPrimitives

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

    /// Whether the text can name a client: 1 to 64 of `A-Z a-z 0-9 . _ -`. It is written to logs and prefixed to idempotency keys.
    static func isName(_ text: String) -> Bool { text.isReference(upTo: 64) }
}
