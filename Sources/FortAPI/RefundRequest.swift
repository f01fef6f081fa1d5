public import Primitives

/// FORT's REFUND: give back money that a purchase or a capture took. It may be a part, and several may follow each other.
public struct RefundRequest: FortRequest {
    public let parameters: JSONObject

    /// - Parameters:
    ///   - merchantReference: of the purchase or the authorization.
    ///   - amount: to give back, in minor units of `currency`, as digits.
    ///   - currency: of the payment, ISO 4217, alphabetic.
    ///   - language: of the texts in the answer, `en` or `ar`.
    ///   - maintenanceReference: names this refund among the payment's others. FORT takes each once, except that a declined
    ///     refund may be tried again under its own.
    ///   - fortID: FORT's own number of the order, where it is known.
    /// - Throws: ``ValidationErrors`` with every value that FORT would refuse.
    public init(
        merchantReference: String, amount: String, currency: String, language: String = "en",
        maintenanceReference: String? = nil, fortID: String? = nil, orderDescription: String? = nil
    ) throws(ValidationErrors) {
        parameters = try RefundRequest.parameters(
            of: .refund,
            [
                "merchant_reference": merchantReference, "amount": amount, "currency": currency, "language": language,
                "maintenance_reference": maintenanceReference, "fort_id": fortID,
                "order_description": orderDescription,
            ])
    }

    public var command: FortCommand { .refund }

    public var description: String { command.rawValue }
}
