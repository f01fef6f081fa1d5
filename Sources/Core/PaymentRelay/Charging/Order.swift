public import PayrelayPrimitives

/// An order as the client's request body describes it. Only a gateway's validation makes a ``PreparedCharge`` of it,
/// which can be sent.
public struct Order: Sendable, Equatable {
    /// Whether to hold the money, or to hold and take it in one step.
    public enum Command: String, Sendable {
        case authorization = "AUTHORIZATION"
        case purchase = "PURCHASE"
    }

    public let command: Command
    /// The merchant's own name for the order; its identity here and at the gateway.
    public let merchantReference: String
    public let amount: MinorUnits
    /// ISO 4217, alphabetic.
    public let currency: String
    /// The merchant's name of the account at the gateway that is to charge it.
    public let account: String?
    /// Every field as it is charged, by name; those above are among them, but for the account.
    public let fields: [String: String]

    /// Reads an order of its fields.
    ///
    /// - Returns: nil where one of those that are read here is missing, or is not what it must be.
    public init?(_ fields: [String: String], account: String?) {
        guard let command = fields["command"].flatMap(Command.init),
            let merchantReference = fields["merchant_reference"],
            let amount = fields["amount"].flatMap(MinorUnits.init(parsing:)), let currency = fields["currency"]
        else { return nil }
        self.command = command
        self.merchantReference = merchantReference
        self.amount = amount
        self.currency = currency
        self.account = account
        self.fields = fields
    }

    /// Why no order may have a reference that gateways take: the API could never show the payment.
    public static func errors(ofReference reference: String?) -> [ValidationError] {
        guard reference?.isDotSegment == true else { return [] }
        return [
            ValidationError(field: "merchant_reference", detail: "must not be . or .., which no URL can name")
        ]
    }

    /// The customer's email, for search alone; nil if absent.
    var customerEmail: String? { fields["customer_email"] }
}
