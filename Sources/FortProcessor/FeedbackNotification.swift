public import FortAPI
public import PaymentRelay
import PayrelayPrimitives

extension ProcessorNotification {
    /// What a verified feedback message tells of a payment; nil where it is about none: a status query, a token.
    public init?(_ feedback: FortFeedback) {
        let subject: Subject
        switch feedback.command {
        case .authorization: subject = .charge(.authorization)
        case .purchase: subject = .charge(.purchase)
        case .capture: subject = .operation(.capture, maintenanceReference: nil)
        case .voidAuthorization: subject = .operation(.voidAuthorization, maintenanceReference: nil)
        case .refund: subject = .operation(.refund, maintenanceReference: feedback["maintenance_reference"])
        case .checkStatus, .sdkToken, nil: return nil
        }
        var numbers = FortAmounts(feedback.parameters)
        let amount = numbers.amount("amount")
        // What is no text is no currency: it must differ from the payment's, not be taken for absent.
        let currency = feedback.parameters["currency"].map { $0.stringValue ?? "" }
        self.init(
            account: feedback.account, merchantReference: feedback.merchantReference, subject: subject, amount: amount,
            currency: currency, answer: ProcessorAnswer(feedback, unreadableNumber: numbers.unreadable))
    }
}
