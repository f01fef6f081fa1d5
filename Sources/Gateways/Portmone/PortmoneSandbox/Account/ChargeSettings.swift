import PayrelayPrimitives

/// The encoding of Apple's token in the `paymentData` of an `APay`. No public source says which encoding Portmone
/// accepts; one published request has a string.
public enum PaymentDataEncoding: String, Sendable, CaseIterable {
    /// A string with the token's JSON text.
    case jsonString = "json-string"
    /// The token's JSON object itself.
    case object
    /// A string with the base64 of the token's JSON text.
    case base64
}

/// The charges that only hold the customer's money. No public source says how a request to `APay` asks for that.
public enum Preauthorization: String, Sendable, CaseIterable {
    /// No charge. A request that asks for a hold is rejected.
    case never
    /// Charges whose `preauthFlag` is `Y`, as in `createLinkPayment`.
    case onRequest = "on_request"
    /// Every charge.
    case always
}

/// The rules by which the sandbox accepts charges.
public struct ChargeSettings: Sendable, Equatable {
    public var paymentData: PaymentDataEncoding
    public var preauthorization: Preauthorization

    public init(paymentData: PaymentDataEncoding = .jsonString, preauthorization: Preauthorization = .onRequest) {
        self.paymentData = paymentData
        self.preauthorization = preauthorization
    }
}

extension ChargeSettings {
    /// Reads the settings of a request's body. A missing setting has its default.
    ///
    /// - Throws: ``ValidationErrors`` with every error in the settings.
    init(json: JSON) throws(ValidationErrors) {
        var settings = JSONFieldReader(json, knowing: ["payment_data", "preauthorization"])
        let paymentData = settings.choice("payment_data", of: PaymentDataEncoding.allCases, named: \.rawValue)
        let preauthorization = settings.choice("preauthorization", of: Preauthorization.allCases, named: \.rawValue)
        try ValidationErrors.throwIfAny(settings.errors)
        self.init(paymentData: paymentData ?? .jsonString, preauthorization: preauthorization ?? .onRequest)
    }

    var json: JSON {
        [
            "payment_data": .string(paymentData.rawValue), "preauthorization": .string(preauthorization.rawValue),
        ]
    }
}
