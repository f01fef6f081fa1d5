/// Who calls, once that is proven, and what he may do.
public struct Caller: Sendable, Equatable {
    /// Payments belong to a client: nobody else sees them.
    public let client: String
    public let scopes: Set<Scope>
    /// The only order that he may pay and look at; nil where he is not held to one.
    public let order: PinnedOrder?

    public init(client: String, scopes: Set<Scope>, order: PinnedOrder? = nil) {
        self.client = client
        self.scopes = scopes
        self.order = order
    }

    /// Whether the text can name a client: 1 to 64 of `A-Z a-z 0-9 . _ -`. It stands in logs and before idempotency keys.
    static func isClient(_ text: String) -> Bool {
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
