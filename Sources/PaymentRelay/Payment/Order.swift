/// What a merchant asks to be charged, as far as it concerns more than the processor. It is a description: what can be sent is a
/// ``PreparedCharge``, and only a processor's validation makes one.
public struct Order: Sendable, Equatable {
    /// FORT's `command`: hold the money, or hold and take it in one step.
    public enum Command: String, Sendable {
        case authorization = "AUTHORIZATION"
        case purchase = "PURCHASE"
    }

    public let command: Command
    /// The merchant's own name for the order; its identity here and at the processor.
    public let merchantReference: String
    public let amount: MinorUnits
    /// ISO 4217, alphabetic.
    public let currency: String
    /// The merchant's name of the account at the processor that is to charge it.
    public let account: String?

    public init(
        command: Command, merchantReference: String, amount: MinorUnits, currency: String, account: String? = nil
    ) {
        self.command = command
        self.merchantReference = merchantReference
        self.amount = amount
        self.currency = currency
        self.account = account
    }
}
