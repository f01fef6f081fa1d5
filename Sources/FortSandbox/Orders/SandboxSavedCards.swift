import FoundationEssentials

/// The cards that customers of FORT's SDK had saved with `remember_me`, by the `token_name` that the sandbox answered. Bounded, as the
/// books are.
struct SandboxSavedCards {
    /// A saved card. Of the card itself the sandbox saw nothing but its scheme.
    struct Card: Equatable {
        /// The merchant whose customer's it is. It does not exist for others.
        let merchantIdentifier: String
        let paymentOption: String
    }

    private let limit: Int
    private var cards: [String: Card] = [:]
    /// Their names, the oldest first.
    private var order: [String] = []

    /// - Parameter limit: how many are remembered. Where there are more the oldest are forgotten.
    init(limit: Int = 100_000) {
        self.limit = limit
    }

    /// Saves a card under a name of its own.
    mutating func save(_ card: Card) -> String {
        let name = UUID().uuidString.filter { $0 != "-" }
        cards[name] = card
        order.append(name)
        if order.count > limit {
            // In one go for many, for what is left has to move up.
            let forgotten = order.prefix(order.count - limit / 2 - limit / 4)
            for name in forgotten { cards[name] = nil }
            order.removeFirst(forgotten.count)
        }
        return name
    }

    /// nil where there is none of this name, or it is another merchant's.
    func card(named name: String, of merchantIdentifier: String) -> Card? {
        cards[name].flatMap { $0.merchantIdentifier == merchantIdentifier ? $0 : nil }
    }
}
