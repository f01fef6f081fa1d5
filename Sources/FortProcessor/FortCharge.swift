import ApplePayToken
import FortAPI
import PaymentRelay
import PayrelayPrimitives

/// A charge whose fields are within FORT's documented limits; its initializers check them.
struct FortCharge: PreparedCharge {
    let order: Order
    let token: PaymentToken?
    private let request: any FortRequest
    private let parameters: AppleParameters?
    private let processor: FortProcessor

    /// An `APPLE_PAY` request.
    ///
    /// - Parameter fields: `account` among them names one of the merchant's accounts; it is no field of FORT's.
    /// - Throws: ``ValidationErrors`` with every error of the fields, the account and the token.
    init(_ fields: [String: String], token: PaymentToken, for processor: FortProcessor) throws(ValidationErrors) {
        guard let parameters = AppleParameters(token) else {
            let error = ValidationError(
                field: "token.paymentData.version",
                detail: "is RSA_v1: FORT has no field for a wrapped key; it takes EC_v1")
            throw ValidationErrors([error] + processor.validationErrors(in: fields))
        }
        try self.init(fields, token: token, parameters, for: processor) { order throws(ValidationErrors) in
            try ApplePayRequest(order: order, token: parameters)
        }
    }

    /// A recurring payment, which a card pays that FORT has stored.
    ///
    /// - Parameter fields: `account` among them as above.
    /// - Throws: ``ValidationErrors`` with every error of the fields and the account.
    init(recurring fields: [String: String], for processor: FortProcessor) throws(ValidationErrors) {
        try self.init(fields, token: nil, nil, for: processor) { order throws(ValidationErrors) in
            try RecurringRequest(order: order)
        }
    }

    private init(
        _ fields: [String: String], token: PaymentToken?, _ parameters: AppleParameters?, for processor: FortProcessor,
        request: (_ order: [String: String]) throws(ValidationErrors) -> any FortRequest
    ) throws(ValidationErrors) {
        var fields = fields
        let name = fields.removeValue(forKey: "account")
        let currency = fields["currency"] ?? ""
        let ofAccount = processor.clients.errors(ofName: name, currency: fields["currency"])
        do throws(ValidationErrors) {
            self.request = try request(fields)
        } catch {
            throw ValidationErrors(error.errors.map(\.underRequestPath) + ofAccount)
        }
        guard ofAccount.isEmpty else { throw ValidationErrors(ofAccount) }
        // FORT's limits, which the request keeps, are narrower than these.
        guard let command = Order.Command(rawValue: self.request.command.rawValue),
            let reference = fields["merchant_reference"],
            let amount = fields["amount"].flatMap(MinorUnits.init(parsing:))
        else { throw ValidationErrors([ValidationError(field: "amount", detail: "cannot be read")]) }
        order = Order(
            command: command, merchantReference: reference, amount: amount, currency: currency,
            account: processor.clients.accountName(named: name, currency: currency),
            customerEmail: fields["customer_email"])
        self.token = token
        self.parameters = parameters
        self.processor = processor
    }

    func send() async -> ProcessorReport {
        let limitViolations = parameters?.warnings ?? []
        if !limitViolations.isEmpty { processor.warn(order.merchantReference, limitViolations) }
        return await processor.report(on: request, account: order.account, order.currency) { ProcessorAnswer($0) }
    }
}

extension AppleParameters {
    /// The token's parts for FORT, as Apple wrote them; nil for RSA_v1, which has no ephemeral key.
    init?(_ token: PaymentToken) {
        guard let ephemeralPublicKey = token.header.ephemeralPublicKey else { return nil }
        self.init(
            data: token.data.text, signature: token.signature.text, transactionId: token.header.transactionId.text,
            ephemeralPublicKey: ephemeralPublicKey.text, publicKeyHash: token.header.publicKeyHash.text,
            applicationData: token.header.applicationData?.text, displayName: token.paymentMethod?.displayName,
            network: token.paymentMethod?.network, type: token.paymentMethod?.type?.rawValue)
    }
}

extension ValidationError {
    /// An error of FORT's field, under the path that the field has in our request: the token's parts keep Apple's paths.
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
