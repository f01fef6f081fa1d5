import PayrelayAPI
import PayrelayPrimitives

/// The answer to an attempt, classified.
enum RelayAnswer {
    /// The relay's document about this payment.
    case payment(PaymentDocument, retryAfter: Double?)
    /// A document under this payment's reference, about another amount, currency or command.
    case otherPayment(PaymentDocument, retryAfter: Double?)
    /// The relay's problem.
    case problem(ProblemDocument, retryAfter: Double?)
    /// An answer that is not the relay's about this payment: a proxy's, a captive portal's. It proves nothing.
    case foreign(retryAfter: Double?)

    /// - Parameter order: what was asked about; its amount and currency where the app knows them.
    init(_ response: TransportResponse, about order: AskedOrder) {
        let retryAfter = response.retryAfter
        switch response.status {
        case 200, 202:
            guard let payment = try? PaymentDocument(parsing: response.body),
                payment.merchantReference == order.merchantReference
            else {
                self = .foreign(retryAfter: retryAfter)
                return
            }
            self =
                order.isMeant(by: payment)
                ? .payment(payment, retryAfter: retryAfter) : .otherPayment(payment, retryAfter: retryAfter)
        default:
            guard let problem = try? ProblemDocument(parsing: response.body), problem.status == response.status else {
                self = .foreign(retryAfter: retryAfter)
                return
            }
            self = .problem(problem, retryAfter: retryAfter)
        }
    }
}

/// The order that an answer must be about.
struct AskedOrder {
    let merchantReference: String
    /// Nil where only the reference is known.
    let order: Order?

    /// - Parameter payment: one under the order's reference.
    func isMeant(by payment: PaymentDocument) -> Bool {
        guard let order else { return true }
        return payment.amount == order.amount && payment.currency == order.currency.code
            && payment.command == order.command
    }
}
