public import PayrelayPrimitives

/// One request to FORT, checked, before an account signs it.
public struct FortRequest: Sendable, Redacted {
    public let command: FortCommand
    /// The request's own parameters, by FORT's names: without the account's and without the signature.
    public let parameters: JSONObject

    public var description: String { command.rawValue }
}

extension FortRequest {
    /// What follows a payment:
    /// - CAPTURE: take money that an authorization holds. It may be a part, and several may follow each other, until the authorized
    ///   amount is reached; APS gives seven days for it.
    /// - VOID_AUTHORIZATION: let go of what an authorization holds, as long as nothing of it was captured. It has no amount: APS's
    ///   present page and its SDKs send none. Only an older parameter table lists one.
    /// - REFUND: give back money that a purchase or a capture took. It may be a part, and several may follow each other.
    ///
    /// - Parameters:
    ///   - command: one of those.
    ///   - merchantReference: of the purchase or the authorization.
    ///   - amount: to take or to give back, in minor units of `currency`, as digits. Not of a void.
    ///   - currency: of the payment, ISO 4217, alphabetic. Not of a void.
    ///   - language: of the texts in the answer, `en` or `ar`.
    ///   - maintenanceReference: of a refund alone: names it among the payment's others. FORT takes each once, except that a declined
    ///     refund may be tried again under its own.
    ///   - fortID: FORT's own number of the order, where it is known.
    ///   - network: of the card, as Apple or FORT spells it. A Visa's amount of three decimals must end in 0. `nil` leaves that unchecked.
    /// - Throws: ``ValidationErrors`` with every value that FORT would refuse.
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

    /// CHECK_STATUS: what became of the order with this reference. It changes nothing and may be repeated.
    ///
    /// - Parameters:
    ///   - fortID: FORT's own number of the order, where it is known.
    ///   - language: of the texts in the answer, `en` or `ar`.
    /// - Throws: ``ValidationErrors`` with every value that FORT would refuse.
    public init(
        statusOf merchantReference: String, fortID: String? = nil, language: String = "en"
    ) throws(ValidationErrors) {
        try self.init(
            .checkStatus, ["merchant_reference": merchantReference, "fort_id": fortID, "language": language])
    }

    /// SDK_TOKEN: a token with which FORT's mobile SDK may pay once, from one device, within the hour.
    ///
    /// For merchants whose app uses that SDK. Apple Pay tokens relayed from the server need none.
    ///
    /// - Parameters:
    ///   - deviceID: the SDK's identifier of the device (`getUDID`): letters, digits and `-`.
    ///   - language: of the checkout and of the texts in the answer, `en` or `ar`.
    /// - Throws: ``ValidationErrors`` with every value that FORT would refuse.
    public init(deviceID: String, language: String = "en") throws(ValidationErrors) {
        try self.init(.sdkToken, ["device_id": deviceID, "language": language])
    }

    /// The command and these values, trimmed, without the optional ones that are missing. Those that the Apple Pay page
    /// lists have its limits here too.
    ///
    /// - Throws: ``ValidationErrors`` with every value that FORT would refuse.
    private init(_ command: FortCommand, _ values: [String: String?]) throws(ValidationErrors) {
        let fields = (FortField.all + FortField.ofOperations).filter { values.keys.contains($0.name) }
        var parameters: JSONObject = [command.parameterName: .string(command.rawValue)]
        var errors: [ValidationError] = []
        for field in fields {
            // Twice optional: whether the field belongs to the request, and whether it has a value.
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
