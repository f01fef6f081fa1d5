public import PayrelayPrimitives

/// A validated request to FORT that is not signed yet.
public struct FortRequest: Sendable, Redacted {
    public let command: FortCommand
    /// The request's parameters under FORT's names, without those of the account and without the signature.
    public let parameters: JSONObject

    public var description: String { command.rawValue }
}

extension FortRequest {
    /// Creates a maintenance operation on an earlier payment:
    /// - CAPTURE takes money that an authorization holds. It may take a part. Several captures may follow each
    ///   other until the authorized amount is reached. APS allows seven days for it.
    /// - VOID_AUTHORIZATION releases the money that an authorization holds, if none of it was captured. It has no
    ///   amount: APS's present page and its SDKs send none, and only an older parameter table lists one.
    /// - REFUND gives back money that a purchase or a capture took. It may give back a part. Several refunds may
    ///   follow each other.
    ///
    /// - Parameters:
    ///   - command: one of these commands.
    ///   - merchantReference: the reference of the purchase or the authorization.
    ///   - amount: the amount to take or to give back, in minor units of `currency`, as digits. A void ignores
    ///     it.
    ///   - currency: the payment's currency, as an alphabetic code of ISO 4217. A void ignores it.
    ///   - language: the language of the texts in the answer, `en` or `ar`.
    ///   - maintenanceReference: the name of a refund, which distinguishes it from the payment's other refunds.
    ///     FORT accepts each name once, but a declined refund may be attempted again under its name. Other
    ///     commands ignore it.
    ///   - fortID: FORT's number of the order; `nil` if it is not known.
    ///   - network: the card's network in Apple's or FORT's spelling. The amount for a Visa card must end in 0 if
    ///     the currency has three decimals. `nil` skips this check.
    /// - Throws: ``ValidationErrors`` with every value that FORT would reject.
    public init(
        _ command: FortCommand, merchantReference: String, amount: String? = nil, currency: String? = nil,
        language: String = "en", maintenanceReference: String? = nil, fortID: String? = nil,
        orderDescription: String? = nil, network: String? = nil
    ) throws(ValidationErrors) {
        guard [.capture, .voidAuthorization, .refund].contains(command) else {
            throw ValidationErrors([ValidationError(field: "command", detail: "does not follow a payment")])
        }
        var values: [String: String?] = [
            "merchant_reference": merchantReference, "language": language, "fort_id": fortID,
            "order_description": orderDescription,
        ]
        var amountError: ValidationError?
        if command != .voidAuthorization {
            values.merge(["amount": amount, "currency": currency]) { $1 }
            amountError = network.flatMap {
                CardNetworkRules.amountError(in: values.compactMapValues { $0 }, network: $0)
            }
        }
        if command == .refund { values.merge(["maintenance_reference": maintenanceReference]) { $1 } }
        try self.init(command, values)
        try ValidationErrors.throwIfAny(amountError.map { [$0] } ?? [])
    }

    /// Creates CHECK_STATUS, the query about the order with this reference. It changes nothing and may be
    /// repeated.
    ///
    /// - Parameters:
    ///   - fortID: FORT's number of the order; `nil` if it is not known.
    ///   - language: the language of the texts in the answer, `en` or `ar`.
    /// - Throws: ``ValidationErrors`` with every value that FORT would reject.
    public init(
        statusOf merchantReference: String, fortID: String? = nil, language: String = "en"
    ) throws(ValidationErrors) {
        try self.init(
            .checkStatus, ["merchant_reference": merchantReference, "fort_id": fortID, "language": language])
    }

    /// Creates SDK_TOKEN, which requests a token with which FORT's mobile SDK may pay once, from one device,
    /// within one hour.
    ///
    /// The token is for merchants whose app uses that SDK. Apple Pay tokens that the server relays do not need
    /// it.
    ///
    /// - Parameters:
    ///   - deviceID: the SDK's identifier of the device (`getUDID`): letters, digits and `-`.
    ///   - language: the language of the checkout and of the texts in the answer, `en` or `ar`.
    /// - Throws: ``ValidationErrors`` with every value that FORT would reject.
    public init(deviceID: String, language: String = "en") throws(ValidationErrors) {
        try self.init(.sdkToken, ["device_id": deviceID, "language": language])
    }

    /// Creates a request with the command and these values. Values are trimmed, and missing optional values are
    /// left out. A field of the Apple Pay page has the same limits here.
    ///
    /// - Throws: ``ValidationErrors`` with every value that FORT would reject.
    private init(_ command: FortCommand, _ values: [String: String?]) throws(ValidationErrors) {
        let fields = (FortField.all + FortField.ofOperations).filter { values.keys.contains($0.name) }
        var parameters: JSONObject = [command.parameterName: .string(command.rawValue)]
        var errors: [ValidationError] = []
        for field in fields {
            // The value is optional twice: the field may be missing in `values`, or its value may be `nil`.
            let value = values[field.name] ?? nil
            errors += field.errors(in: value).map { ValidationError(field: field.name, detail: $0) }
            if let value, !value.trimmedOfWhiteSpace.isEmpty {
                parameters[field.name] = .string(value.trimmedOfWhiteSpace)
            }
        }
        try ValidationErrors.throwIfAny(errors)
        self.init(command: command, parameters: parameters)
    }
}
