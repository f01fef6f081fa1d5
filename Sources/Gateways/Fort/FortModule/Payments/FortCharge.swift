import ApplePayToken
import FortAPI
import PaymentRelay
import PayrelayPrimitives

/// A charge whose fields are within FORT's documented limits; its initializers check them.
struct FortCharge: PreparedCharge {
    let order: Order
    let token: PaymentToken?
    private let request: FortRequest
    private let client: FortClient
    private let fort: FortGateway

    /// Validates an `APPLE_PAY` request.
    ///
    /// - Parameter account: the merchant's name of the account.
    /// - Throws: ``ValidationErrors`` with every error of the fields and the token, or if there is no such
    ///   account.
    init(
        _ fields: [String: String], account: String, token: PaymentToken, for gateway: FortGateway
    ) throws(ValidationErrors) {
        guard token.header.ephemeralPublicKey != nil else {
            let error = ValidationError(
                field: "token.paymentData.version",
                detail: "is RSA_v1: FORT has no field for a wrapped key; it takes EC_v1")
            throw ValidationErrors([error] + gateway.validationErrors(in: fields))
        }
        try self.init(fields, account: account, token: token, for: gateway) { account throws(ValidationErrors) in
            try FortRequest(order: fields, token: token, authorizesMada: account.authorizesMada)
        }
    }

    /// Validates a recurring payment, which is charged to a card that FORT has stored.
    ///
    /// - Throws: ``ValidationErrors`` with every error of the fields, or if there is no such account.
    init(
        recurring fields: [String: String], account: String, for gateway: FortGateway
    ) throws(ValidationErrors) {
        try self.init(fields, account: account, token: nil, for: gateway) { _ throws(ValidationErrors) in
            try FortRequest(recurring: fields)
        }
    }

    private init(
        _ fields: [String: String], account: String, token: PaymentToken?, for gateway: FortGateway,
        request: (FortAccount) throws(ValidationErrors) -> FortRequest
    ) throws(ValidationErrors) {
        guard let choice = gateway.clients.choice(named: account) else {
            throw ValidationErrors([ValidationError(field: "account", detail: "is not one that is configured here")])
        }
        do throws(ValidationErrors) {
            self.request = try request(choice.entry.account)
        } catch {
            throw ValidationErrors(error.errors.map(\.underRequestPath))
        }
        var fields = fields
        // The request is within FORT's limits, which are narrower than those of an order, so the order can be
        // read. The command is set because FORT allows only one for a recurring payment, and a client may leave
        // it out.
        fields["command"] = self.request.command.rawValue
        guard let order = Order(fields, account: account) else {
            throw ValidationErrors([ValidationError(field: "amount", detail: "cannot be read")])
        }
        self.order = order
        self.token = token
        client = choice.client
        fort = gateway
    }

    var gateway: String { fort.name }

    func send() async -> Outcome<GatewayAnswer> {
        let limitViolations = token?.fortWarnings ?? []
        if !limitViolations.isEmpty { fort.warn(order.merchantReference, limitViolations) }
        return await client.send(request, timeout: fort.timeout).map { GatewayAnswer($0) }
    }
}

extension ValidationError {
    /// An error of a FORT field, under the field's path in this service's requests. The parts of the token keep
    /// Apple's paths.
    var underRequestPath: ValidationError {
        ValidationError(field: Self.paths[field] ?? field, detail: detail)
    }

    private static let paths = [
        "apple_data": "token.paymentData.data",
        "apple_signature": "token.paymentData.signature",
        "apple_transactionId": "token.paymentData.header.transactionId",
        "apple_ephemeralPublicKey": "token.paymentData.header.ephemeralPublicKey",
        "apple_publicKeyHash": "token.paymentData.header.publicKeyHash",
        "apple_applicationData": "token.paymentData.header.applicationData",
        "apple_displayName": "token.paymentMethod.displayName",
        "apple_network": "token.paymentMethod.network",
        "apple_type": "token.paymentMethod.type",
    ]
}
