public import FortAPI
public import PaymentRelay

extension ProcessorNotice {
    /// What a verified feedback message tells of a payment; nil where it is about none: a status query, a token.
    public init?(_ feedback: FortFeedback) {
        let subject: Subject
        switch feedback.command {
        case .authorization, .purchase: subject = .charge
        case .capture: subject = .maintenance(.capture, maintenanceReference: nil)
        case .voidAuthorization: subject = .maintenance(.voidAuthorization, maintenanceReference: nil)
        case .refund: subject = .maintenance(.refund, maintenanceReference: feedback["maintenance_reference"])
        case .checkStatus, .sdkToken, nil: return nil
        }
        self.init(
            merchantReference: feedback.merchantReference, subject: subject,
            amount: feedback["amount"].flatMap { Int($0) }, currency: feedback["currency"],
            answer: ProcessorAnswer(feedback))
    }
}
