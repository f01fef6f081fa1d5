import PayrelayAPI
import PayrelayPrimitives

/// A request dictionary of an app that used FORT's mobile SDK, with FORT's names.
///
/// It is read strictly: every key must be a field that is sent to the relay, and every value must be a text. A
/// field that the relay does not accept, such as `remember_me`, is an error that names the field.
struct FortRequest: Sendable, Redacted {
    let order: Order
    /// The order token, from the key `sdk_token`.
    let orderToken: String

    /// Longer than FORT's tokens, which had 100 characters, because JWTs are longer.
    private static let longestToken = 8_192

    /// The fields of FORT's SDK that the relay does not accept, with the details of their errors. An empty text
    /// counts as absent.
    private static let unsupported = [
        "remember_me": "is not sent: recurring_mode UNSCHEDULED has FORT store the card",
        "signature": "is not sent: the relay signs",
        "access_code": "is not sent: the relay has it",
        "merchant_identifier": "is not sent: the relay has it",
    ]

    /// - Throws: the errors of every invalid field, sorted by the names of the fields.
    init(_ request: [AnyHashable: Any]) throws(ValidationErrors) {
        var fields = FortRequestFields(request)
        let reference = fields.required(PaymentField.merchantReference)
        let currency = fields.required(PaymentField.currency, Currency.init(code:), "must be a currency of ISO 4217")
        let amount = fields.required(
            PaymentField.amount, MinorUnits.init(parsing:), "must be 1 to 10 digits of minor units")
        let command = fields.required(
            PaymentField.command, PaymentCommand.init(documented:), "must be AUTHORIZATION or PURCHASE")
        let language = fields.required(PaymentField.language, PaymentLanguage.init(rawValue:), "must be en or ar")
        let email = fields.required(PaymentField.customerEmail)
        orderToken = fields.required("sdk_token", Self.token, "must be an order token") ?? ""
        _ = fields.required("digital_wallet", { $0 == "APPLE_PAY" ? $0 : nil }, "must be APPLE_PAY")
        var order = Order(
            reference ?? "", amount: amount ?? .zero, currency: currency ?? .AED, command: command ?? .purchase,
            language: language ?? .english, customerEmail: email ?? "")
        order.customerIP = fields.optional(PaymentField.customerIP)
        order.customerName = fields.optional(PaymentField.customerName)
        order.phoneNumber = fields.optional(PaymentField.phoneNumber)
        order.orderDescription = fields.optional(PaymentField.orderDescription)
        order.statementDescriptor = fields.optional(PaymentField.statementDescriptor)
        order.settlementReference = fields.optional(PaymentField.settlementReference)
        order.paymentOption = fields.optional(PaymentField.paymentOption)
        order.tokenName = fields.optional(PaymentField.tokenName)
        order.deviceFingerprint = fields.optional(PaymentField.deviceFingerprint)
        order.eci = fields.optional(PaymentField.eci)
        order.recurringMode = fields.optional(PaymentField.recurringMode)
        for extra in Order.MerchantExtra.allCases { order.merchantExtra[extra] = fields.optional(extra.rawValue) }
        for (name, reason) in Self.unsupported where fields.optional(name) != nil { fields.refuse(name, reason) }
        try fields.finish()
        self.order = order
    }

    private static func token(_ text: String) -> String? {
        // The token becomes the value of a header field.
        let isToken =
            (1...longestToken).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        return isToken ? text : nil
    }

    var description: String { "\(order)" }
}
