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
    static func isName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                switch $0 {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }
}
