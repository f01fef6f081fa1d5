/// A card of the wallet.
public struct MasterpassCard: Sendable, Hashable {
    /// The masked number: `444433********11`.
    public let cardBin: String
    /// The card's name, which no other card of the wallet has.
    public let name: String

    /// A card of these parts. An app gets its cards of ``CardsService/getMasterpassCards(completion:)``.
    public init(cardBin: String, name: String) {
        self.cardBin = cardBin
        self.name = name
    }
}
