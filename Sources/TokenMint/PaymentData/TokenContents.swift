public import ApplePayToken

/// What a token is to say.
public struct TokenContents: Equatable, Sendable {
    /// In minor units of the currency: 10000 is 100.00 AED, and 10.000 KWD.
    public var amount: Int
    /// ISO 4217, three letters.
    public var currency: String
    public var network: CardNetwork
    /// Shown beside the card, not signed.
    public var type: PaymentMethod.Kind

    public init(amount: Int, currency: String, network: CardNetwork = .visa, type: PaymentMethod.Kind = .debit) {
        self.amount = amount
        self.currency = currency
        self.network = network
        self.type = type
    }

    /// As Apple shows a card: the network and the last four digits of the plastic, which are not those of the token.
    var displayName: String {
        "\(network.rawValue) 0492"
    }
}
