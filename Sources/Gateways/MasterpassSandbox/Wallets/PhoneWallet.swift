import PayrelayPrimitives

/// A wallet: the cards of a phone number.
struct PhoneWallet: Sendable {
    /// The clients for which the customer has linked it.
    var linkedClients: Set<String>
    var cards: [SandboxCard]

    func card(named name: String) -> SandboxCard? { cards.first { $0.name.isExactly(name) } }
}
