public import PayrelayPrimitives

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

/// FORT's VOID_AUTHORIZATION: let go of what an authorization holds, as long as nothing of it was captured.
///
/// It has no amount: APS's present page and its SDKs send none. Only an older parameter table lists one.
public struct VoidAuthorizationRequest: FortRequest {
    public let parameters: JSONObject

    /// - Parameters:
    ///   - merchantReference: of the authorization.
    ///   - language: of the texts in the answer, `en` or `ar`.
    ///   - fortID: FORT's own number of the order, where it is known.
    /// - Throws: ``ValidationErrors`` with every value that FORT would refuse.
    public init(
        merchantReference: String, language: String = "en", fortID: String? = nil, orderDescription: String? = nil
    ) throws(ValidationErrors) {
        parameters = try VoidAuthorizationRequest.parameters(
            of: .voidAuthorization,
            [
                "merchant_reference": merchantReference, "language": language, "fort_id": fortID,
                "order_description": orderDescription,
            ])
    }

    public var command: FortCommand { .voidAuthorization }

    public var description: String { command.rawValue }
}

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
