import AccessControl
import HTTPListener
import HTTPTypes
import PaymentRelay

extension Answer {
    /// A payment's stored receipt: 202 and where to look while the outcome is open, 200 once it is known.
    ///
    /// - Parameters:
    ///   - client: gets the stored bytes; with an order token, ``PhoneReceipt`` of them.
    ///   - vocabulary: decides what a phone gets.
    init(receiptOf payment: Payment, for client: AuthenticatedClient?, knowing vocabulary: AnswerVocabulary) {
        let receipt = payment.receipt ?? []
        let phone = PhoneReceipt(vocabulary: vocabulary)
        self.init(
            json: client?.order == nil ? receipt : phone.of(receipt: receipt, gateway: payment.gateway),
            status: .ok)
        if payment.state.isOpen { isOpen(payment.merchantReference) }
    }

    /// 202: the outcome is not known yet, and this is where and when to look for it.
    mutating func isOpen(_ merchantReference: String) {
        head.status = .accepted
        head.headerFields[.location] = "/v1/payments/\(merchantReference)"
        head.headerFields[.retryAfter] = Self.secondsUntilNextLook
    }

    /// A gateway answers most payments within a second, and the reconciler asks about the others every few.
    private static let secondsUntilNextLook = "2"
}
