import PayrelayAPI
import PayrelayPrimitives

/// The two members that a load test reads of an answer. A relay of another make may answer with no more.
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
