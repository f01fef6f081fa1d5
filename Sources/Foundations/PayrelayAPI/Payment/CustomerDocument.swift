public import PayrelayPrimitives

/// The customer and the card, as stated in the order and the token (`customer` of `PaymentView` in openapi.yaml).
/// None of it is verified.
///
/// Its description shows nothing.
public struct CustomerDocument: Sendable, Hashable, Redacted {
    /// The order's `customer_email`.
    public let email: String?
    /// The order's `customer_name`.
    public let name: String?
    /// The order's `phone_number`.
    public let phoneNumber: String?
    /// The card as the customer's phone names it, such as `Visa 0492`.
    public let cardDisplayName: String?
    /// The card network, such as `Visa`.
    public let cardNetwork: String?

    init(_ members: DocumentReader) throws(DocumentError) {
        email = try members.optionalText(PaymentField.customerEmail)
        name = try members.optionalText(PaymentField.customerName)
        phoneNumber = try members.optionalText(PaymentField.phoneNumber)
        cardDisplayName = try members.optionalText(PaymentField.cardDisplayName)
        cardNetwork = try members.optionalText(PaymentField.cardNetwork)
    }

    /// The document as the relay writes it.
    public var json: JSON {
        var json = JSONObject()
        json[PaymentField.customerEmail] = email.map { .string($0) }
        json[PaymentField.customerName] = name.map { .string($0) }
        json[PaymentField.phoneNumber] = phoneNumber.map { .string($0) }
        json[PaymentField.cardDisplayName] = cardDisplayName.map { .string($0) }
        json[PaymentField.cardNetwork] = cardNetwork.map { .string($0) }
        return .object(json)
    }

    public var description: String { "a customer" }
}
