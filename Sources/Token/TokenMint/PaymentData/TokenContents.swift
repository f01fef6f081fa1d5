public import ApplePayToken

/// The contents of a token to mint.
public struct TokenContents: Equatable, Sendable {
    /// The amount in minor units of the currency: 10000 is 100.00 AED or 10.000 KWD.
    public var amount: Int
    /// The currency as three letters of ISO 4217.
    public var currency: String
    public var network: CardNetwork
    /// The kind of the card. It is displayed with the card and not signed.
    public var type: PaymentMethod.Kind
    /// The index of the card among the network's test cards, from 0.
    public var card: Int

    public init(
        amount: Int, currency: String, network: CardNetwork = .visa, type: PaymentMethod.Kind = .debit,
        card: Int = 0
    ) {
        self.amount = amount
        self.currency = currency
        self.network = network
        self.type = type
        self.card = card
    }

    /// The number of the token's test card.
    var accountNumber: String {
        let numbers = network.testAccountNumbers
        return numbers[card % numbers.count]
    }

    /// The card's name as Apple shows it: the network and the last four digits of the plastic card, which differ
    /// from those of the token.
    var displayName: String {
        "\(network.rawValue) 0492"
    }
}

/// The networks whose cards the mint has, under Apple's names (`PKPaymentNetwork`).
public enum CardNetwork: String, CaseIterable, Sendable {
    case visa = "Visa"
    case masterCard = "MasterCard"
    case amEx = "AmEx"
    case mada
    case discover = "Discover"

    /// Published test numbers, which no bank has issued.
    public var testAccountNumbers: [String] {
        switch self {
        case .visa: ["4111111111111111", "4012888888881881", "4242424242424242"]
        case .masterCard: ["5555555555554444", "5105105105105100", "2223003122003222"]
        case .amEx: ["378282246310005", "371449635398431"]
        case .mada: ["5297410000000002", "5043000000000008"]
        case .discover: ["6011111111111117", "6011000990139424"]
        }
    }

    /// The electronic commerce indicator of the network's cards; `nil` if Apple sends none.
    var eciIndicator: String? {
        switch self {
        case .visa: "7"
        case .masterCard, .mada: "2"
        case .amEx, .discover: nil
        }
    }
}
