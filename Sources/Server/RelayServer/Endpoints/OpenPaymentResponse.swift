import AccessControl
import HTTPListener
import HTTPTypes
import PaymentRelay

extension Answer {
    /// Creates the response with a payment's stored receipt: 202 with a `Location` while the outcome is open, 200
    /// when it is known.
    ///
    /// - Parameters:
    ///   - client: the client. It gets the stored bytes; with an order token, it gets their ``PhoneReceipt``.
    ///   - vocabulary: decides which members a phone gets.
    init(receiptOf payment: Payment, for client: AuthenticatedClient?, knowing vocabulary: AnswerVocabulary) {
        let receipt = payment.receipt ?? []
        let phone = PhoneReceipt(vocabulary: vocabulary)
        self.init(
            json: client?.order == nil ? receipt : phone.of(receipt: receipt, gateway: payment.gateway),
            status: .ok)
        if payment.state.isOpen { isOpen(payment.merchantReference) }
    }

    /// Marks the response as 202: the outcome is not known yet. Adds where and when to query it.
    mutating func isOpen(_ merchantReference: String) {
        head.status = .accepted
        head.headerFields[.location] = "/v1/payments/\(merchantReference)"
        head.headerFields[.retryAfter] = Self.secondsUntilNextLook
    }

    /// The `Retry-After` while the outcome is open, in seconds. Most payments are settled within a second or by the
    /// first queries. Later queries are up to a minute apart.
    private static let secondsUntilNextLook = "2"
}
