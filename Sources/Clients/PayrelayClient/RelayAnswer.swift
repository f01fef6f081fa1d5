import PayrelayAPI
import PayrelayPrimitives

/// The response to an attempt, classified.
enum RelayAnswer {
    /// The relay's document about this payment.
    case payment(PaymentDocument, retryAfter: Double?)
    /// A document with this payment's reference, but another amount, currency or command.
    case otherPayment(PaymentDocument, retryAfter: Double?)
    /// A problem document of the relay.
    case problem(ProblemDocument, retryAfter: Double?)
    /// A response that is not the relay's response about this payment, such as one from a proxy or a captive
    /// portal. It proves nothing.
    case foreign(retryAfter: Double?)

    /// - Parameter order: the order that the request was about, with its amount and currency if the app knows
    ///   them.
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

/// The order that a response must be about.
struct AskedOrder {
    let merchantReference: String
    /// `nil` if only the reference is known.
    let order: Order?

    /// Returns whether the payment is for this order.
    ///
    /// - Parameter payment: a payment with the order's reference.
    func isMeant(by payment: PaymentDocument) -> Bool {
        guard let order else { return true }
        return payment.amount == order.amount && payment.currency == order.currency.code
            && payment.command == order.command
    }
}
