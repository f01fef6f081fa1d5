public import FortAPI
public import PaymentRelay
import PayrelayPrimitives

extension GatewayHint {
    /// Reads the hint in a feedback message; `nil` if the message is not about a payment (a status query, a
    /// token), or names a reference that CHECK_STATUS does not accept.
    ///
    /// Anyone who has a genuine message can split its signed text into other names and values
    /// (``CanonicalText``). So a currency or a FORT number that FORT cannot have written is left out.
    public init?(_ feedback: FortFeedback) {
        guard (try? FortRequest(statusOf: feedback.merchantReference)) != nil else { return nil }
        let subject: Subject
        switch feedback.command {
        case .authorization: subject = .charge(.authorization)
        case .purchase: subject = .charge(.purchase)
        case .capture: subject = .operation(.capture)
        case .voidAuthorization: subject = .operation(.voidAuthorization)
        case .refund: subject = .operation(.refund)
        case .checkStatus, .sdkToken, nil: return nil
        }
        var numbers = FortAmounts(feedback.parameters)
        self.init(
            account: feedback.account, merchantReference: feedback.merchantReference, subject: subject,
            statement: Statement(feedback.class, of: feedback.command), amount: numbers.amount("amount"),
            currency: feedback["currency"].flatMap { $0.isCurrencyCode ? $0 : nil },
            gatewayReference: feedback.fortID.flatMap { FortField.fortID.errors(in: $0).isEmpty ? $0 : nil })
    }
}

extension GatewayHint.Statement {
    /// Only the class `declined` says that FORT declined the payment. If FORT rejected the request, the token or
    /// the account, the message says nothing about the order, and the order's reference can still be used.
    fileprivate init(_ class: FortCode.Class, of command: FortCommand?) {
        self =
            switch (`class`, command) {
            case (.success, .authorization): .authorized
            case (.success, .purchase), (.success, .capture): .captured
            case (.success, .voidAuthorization): .voided
            case (.success, .refund): .refunded
            case (.declined, _): .declined
            default: .undecided
            }
    }
}
