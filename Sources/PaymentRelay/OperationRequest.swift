/// A request to capture, void or refund.
///
/// Sent again, it must not move money again. What makes two requests the same is their name: the client's
/// `maintenance_reference` or `Idempotency-Key` where there is one, and otherwise what they ask for. Who wants to capture or
/// refund the same amount twice gives the two different names.
public struct OperationRequest: Sendable, Equatable {
    public let merchantReference: String
    public let command: OperationCommand
    /// In the payment's currency; nil for all that is left. A void has none.
    public let amount: MinorUnits?
    /// ISO 4217, alphabetic; nil for the payment's own, which it must otherwise be.
    public let currency: String?
    public let maintenanceReference: String?
    public let idempotencyKey: String?
    /// Fields that only the processor looks at: `language`, `order_description`.
    public let fields: [String: String]
    /// The authenticated client; another client's payment does not exist for it. Nil where clients are not authenticated.
    public let client: String?
    /// The HTTP request's identifier, for the history and the log.
    public let identifier: String

    public init(
        merchantReference: String, command: OperationCommand, amount: MinorUnits? = nil, currency: String? = nil,
        maintenanceReference: String? = nil, idempotencyKey: String? = nil, fields: [String: String] = [:],
        client: String? = nil, identifier: String
    ) {
        self.merchantReference = merchantReference
        self.command = command
        self.amount = amount
        self.currency = currency
        self.maintenanceReference = maintenanceReference
        self.idempotencyKey = idempotencyKey
        self.fields = fields
        self.client = client
        self.identifier = identifier
    }

    /// The name that the client gave it; nil where what it asks for has to do.
    var givenName: String? {
        if let maintenanceReference { return "reference \(maintenanceReference)" }
        return idempotencyKey.map { "key \($0)" }
    }
}
