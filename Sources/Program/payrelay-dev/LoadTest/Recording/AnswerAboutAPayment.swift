import PayrelayAPI
import PayrelayPrimitives

/// The two members of a response that a load test reads. A relay of another make may have no others.
struct AnswerAboutAPayment {
    let merchantReference: String
    let outcome: PaymentOutcome

    init(parsing body: [UInt8]) throws(DocumentError) {
        guard let json = try? JSON(parsing: body) else { throw .noJSON }
        guard let reference = json[PaymentField.merchantReference]?.stringValue else {
            throw .missing(PaymentField.merchantReference)
        }
        guard let outcome = json[PaymentField.outcome]?.stringValue else { throw .missing(PaymentField.outcome) }
        merchantReference = reference
        self.outcome = PaymentOutcome(rawValue: outcome)
    }
}
