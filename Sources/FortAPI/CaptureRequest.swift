public import Primitives

/// FORT's CAPTURE: take money that an authorization holds. It may be a part, and several may follow each other, until the
/// authorized amount is reached; APS gives seven days for it.
public struct CaptureRequest: FortRequest {
    public let parameters: JSONObject

    /// - Parameters:
    ///   - merchantReference: of the authorization.
    ///   - amount: to take, in minor units of `currency`, as digits.
    ///   - currency: of the authorization, ISO 4217, alphabetic.
    ///   - language: of the texts in the answer, `en` or `ar`.
    ///   - fortID: FORT's own number of the order, where it is known.
    /// - Throws: ``ValidationErrors`` with every value that FORT would refuse.
    public init(
        merchantReference: String, amount: String, currency: String, language: String = "en", fortID: String? = nil,
        orderDescription: String? = nil
    ) throws(ValidationErrors) {
        parameters = try CaptureRequest.parameters(
            of: .capture,
            [
                "merchant_reference": merchantReference, "amount": amount, "currency": currency, "language": language,
                "fort_id": fortID, "order_description": orderDescription,
            ])
    }

    public var command: FortCommand { .capture }

    public var description: String { command.rawValue }
}
