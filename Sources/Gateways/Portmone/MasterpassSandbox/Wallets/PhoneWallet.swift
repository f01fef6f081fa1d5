import PayrelayPrimitives

/// A wallet: the cards of a phone number.
struct PhoneWallet: Sendable {
    /// The clients to which the customer has linked the wallet.
    var linkedClients: Set<String>
    var cards: [SandboxCard]

    func card(named name: String) -> SandboxCard? { cards.first { $0.name.isExactly(name) } }
}
