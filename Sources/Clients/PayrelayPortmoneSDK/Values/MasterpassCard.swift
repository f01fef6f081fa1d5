/// A card of the wallet.
public struct MasterpassCard: Sendable, Hashable {
    /// The masked card number, such as `444433********11`.
    public let cardBin: String
    /// The card's name, which is unique in the wallet.
    public let name: String

    /// Creates a card with these parts. An app gets its cards from
    /// ``CardsService/getMasterpassCards(completion:)``.
    public init(cardBin: String, name: String) {
        self.cardBin = cardBin
        self.name = name
    }
}
