/// What a merchant asks to be charged. Every field stands under FORT's name for it.
public struct Order: Sendable, Equatable {
    /// FORT's `command`: hold the money, or hold and take it in one step.
    public enum Command: String, Sendable {
        case authorization = "AUTHORIZATION"
        case purchase = "PURCHASE"
    }

    public let command: Command
    /// The merchant's own name for the order; its identity here and at the processor.
    public let merchantReference: String
    /// In minor units of the currency (FORT's rule): 10000 is 100.00 AED, and 10.000 KWD.
    public let amount: Int
    /// ISO 4217, alphabetic.
    public let currency: String
    /// The merchant's name of the account at the processor that is to charge it; nil where there is only one.
    public let account: String?
    /// Every field of the order by FORT's name, those above included, as text.
    public let fields: [String: String]

    public init(
        command: Command, merchantReference: String, amount: Int, currency: String, account: String? = nil,
        fields: [String: String]
    ) {
        self.command = command
        self.merchantReference = merchantReference
        self.amount = amount
        self.currency = currency
        self.account = account
        self.fields = fields
    }
}
