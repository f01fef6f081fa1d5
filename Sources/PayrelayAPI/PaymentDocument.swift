import PayrelayPrimitives

/// What the relay answers about a payment (`Payment` in openapi.yaml), as far as clients here read it: the receipt of
/// `POST /v1/payments` and the present state of `GET /v1/payments/{merchant_reference}`.
public struct PaymentDocument: Sendable, Equatable {
    public let merchantReference: String
    public let outcome: PaymentOutcome

    /// - Parameter body: the answer's bytes.
    /// - Throws: ``DocumentError``.
    public init(parsing body: [UInt8]) throws(DocumentError) {
        guard let json = try? JSON(parsing: body) else { throw .noJSON }
        guard let reference = json[PaymentField.merchantReference]?.stringValue else {
            throw .missing(PaymentField.merchantReference)
        }
        guard let outcome = json[PaymentField.outcome]?.stringValue else { throw .missing(PaymentField.outcome) }
        merchantReference = reference
        self.outcome = PaymentOutcome(rawValue: outcome)
    }
}

/// Why a body is not one of the API's documents.
public enum DocumentError: Error, Equatable, Sendable {
    case noJSON
    /// A required member, by name, is missing or not a text.
    case missing(String)
}
