/// A card to be added, without its number and its security code.
public final class MfsCard {
    /// The name for the card in the wallet. Portmone's page requires it to be URL encoded, but the samples do not
    /// encode it. Both forms are accepted, and the wallet stores the decoded name.
    public var cardName: String?
    /// The month in two digits, such as `03`.
    public var expireMonth: String?
    /// The last two digits of the year, such as `30`.
    public var expireYear: String?

    /// Creates an empty card.
    public init() {}
}
