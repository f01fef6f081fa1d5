import HTTPTypes
import Hummingbird
import PaymentRelay

extension Response {
    /// The stored bytes of a payment's receipt: 202 and where to look while the outcome is open, 200 once it is known.
    init(receiptOf payment: Payment) {
        self.init(json: payment.receipt ?? [], status: payment.state.isOpen ? .accepted : .ok)
        if payment.state.isOpen { headers[.location] = "/v1/payments/\(payment.merchantReference)" }
    }
}
