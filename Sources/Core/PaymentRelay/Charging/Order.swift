public import PayrelayPrimitives

/// An order as the client's request body describes it. It can be sent only after the gateway's validation has
/// turned it into a ``PreparedCharge``.
public struct Order: Sendable, Equatable {
    /// Whether to hold the money, or to hold and capture it in one step.
    public enum Command: String, Sendable {
        case authorization = "AUTHORIZATION"
        case purchase = "PURCHASE"
    }

    public let command: Command
    /// The merchant's reference of the order. It identifies the order here and at the gateway.
    public let merchantReference: String
    public let amount: MinorUnits
    /// The alphabetic code of the currency (ISO 4217).
    public let currency: String
    /// The merchant's name of the gateway account that is to charge the order.
    public let account: String?
    /// Every field as it is charged, by name. The members above are among them, except the account.
    public let fields: [String: String]

    /// Creates an order from its fields.
    ///
    /// - Returns: `nil` if a field that is read here is missing or malformed.
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

    /// Returns why an order may not have a reference that gateways accept: no URL of the API could show its
    /// payment.
    public static func errors(ofReference reference: String?) -> [ValidationError] {
        guard reference?.isDotSegment == true else { return [] }
        return [
            ValidationError(field: "merchant_reference", detail: "must not be . or .., which no URL can name")
        ]
    }

    /// The customer's email, used only for search; `nil` if absent.
    var customerEmail: String? { fields["customer_email"] }
}
