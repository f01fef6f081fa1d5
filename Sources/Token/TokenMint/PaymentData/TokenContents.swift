public import ApplePayToken

/// Contents of a token to mint.
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

/// The networks whose cards the mint has, by Apple's names (`PKPaymentNetwork`).
public enum CardNetwork: String, CaseIterable, Sendable {
    case visa = "Visa"
    case masterCard = "MasterCard"
    case amEx = "AmEx"
    case mada
    case discover = "Discover"

    /// A published test number; no bank issued it.
    var testAccountNumber: String {
        switch self {
        case .visa: "4111111111111111"
        case .masterCard: "5555555555554444"
        case .amEx: "378282246310005"
        case .mada: "5297410000000002"
        case .discover: "6011111111111117"
        }
    }

    /// The electronic commerce indicator that the network's cards carry; nil where Apple sends none.
    var eciIndicator: String? {
        switch self {
        case .visa: "7"
        case .masterCard, .mada: "2"
        case .amEx, .discover: nil
        }
    }
}
