public import PayrelayPrimitives

/// The body of `POST /v1/payments` (`PaymentRequest` in openapi.yaml), with the members that clients here send.
public struct PaymentRequestDocument: Sendable {
    public enum Command: String, Sendable {
        /// Holds the money.
        case authorization = "AUTHORIZATION"
        /// Holds and takes the money in one step.
        case purchase = "PURCHASE"
    }

    public var command: Command
    public var merchantReference: String
    /// In minor units of the currency.
    public var amount: Int
    /// ISO 4217, three letters.
    public var currency: String
    /// ISO 639-1: `en` or `ar`.
    public var language: String
    public var customerEmail: String
    public var customerIP: String?
    public var customerName: String?
    public var orderDescription: String?
    /// Apple's token in any shape that the API accepts.
    public var token: JSON

    public init(
        command: Command = .purchase, merchantReference: String, amount: Int, currency: String, language: String = "en",
        customerEmail: String, customerIP: String? = nil, customerName: String? = nil, orderDescription: String? = nil,
        token: JSON
    ) {
        self.command = command
        self.merchantReference = merchantReference
        self.amount = amount
        self.currency = currency
        self.language = language
        self.customerEmail = customerEmail
        self.customerIP = customerIP
        self.customerName = customerName
        self.orderDescription = orderDescription
        self.token = token
    }

    public var json: JSON {
        var json: JSONObject = [
            PaymentField.command: .string(command.rawValue),
            PaymentField.merchantReference: .string(merchantReference),
            PaymentField.amount: JSON(amount),
            PaymentField.currency: .string(currency),
            PaymentField.language: .string(language),
            PaymentField.customerEmail: .string(customerEmail),
        ]
        json[PaymentField.customerIP] = customerIP.map(JSON.string)
        json[PaymentField.customerName] = customerName.map(JSON.string)
        json[PaymentField.orderDescription] = orderDescription.map(JSON.string)
        json[PaymentField.token] = token
        return .object(json)
    }
}
