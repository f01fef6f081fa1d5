/// A card that is to be added, without its number and its code.
public final class MfsCard {
    /// The name that the card shall have in the wallet. Portmone's page asks for it to be URL encoded, and its samples do not encode it: both
    /// are taken, and the wallet has the decoded name.
    public var cardName: String?
    /// Two digits: `03`.
    public var expireMonth: String?
    /// The last two digits: `30`.
    public var expireYear: String?

    /// An empty one.
    public init() {}
}
