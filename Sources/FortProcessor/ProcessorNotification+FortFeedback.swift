public import FortAPI
public import PaymentRelay

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
        var numbers = FortNumbers(feedback.parameters)
        let amount = numbers.amount("amount")
        self.init(
            account: feedback.account, merchantReference: feedback.merchantReference, subject: subject, amount: amount,
            currency: feedback["currency"], answer: ProcessorAnswer(feedback, unreadableNumber: numbers.unreadable))
    }
}
