import PayrelayPrimitives

/// How `APay` sends Apple's token in `paymentData`. No public source says which Portmone takes; one published request has a string.
public enum PaymentDataEncoding: String, Sendable, CaseIterable {
    /// A string that is the token's JSON text.
    case jsonString = "json-string"
    /// The token's JSON object itself.
    case object
    /// A string that is the base64 text of the token's JSON text.
    case base64
}

/// Which charges only hold the customer's money. No public source says how `APay` asks for that.
public enum Preauthorization: String, Sendable, CaseIterable {
    /// None, and a request that asks for it is refused.
    case never
    /// Those whose `preauthFlag` is `Y`, as it is in `createLinkPayment`.
    case onRequest = "on_request"
    /// All.
    case always
}

/// How the sandbox takes charges.
public struct ChargeSettings: Sendable, Equatable {
    public var paymentData: PaymentDataEncoding
    public var preauthorization: Preauthorization

    public init(paymentData: PaymentDataEncoding = .jsonString, preauthorization: Preauthorization = .onRequest) {
        self.paymentData = paymentData
        self.preauthorization = preauthorization
    }
}

extension ChargeSettings {
    /// As they are put over HTTP. A setting that is left out has its default.
    ///
    /// - Throws: ``ValidationErrors`` with everything that is wrong with them.
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
