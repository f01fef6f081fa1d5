import AccessControl
import HTTPListener
import PaymentRelay
import PayrelayPrimitives

/// `POST /v1/recurring-payments`: charges a card that the processor has stored. It answers as ``CreatePayment`` does.
struct CreateRecurringPayment {
    let relay: PaymentRelay
    let processor: any Processor

    func respond(to request: RelayRequest, _ handle: ResponseHandle) {
        relay.pay(answering: request, handle) { () throws(Problem) in
            let body = try RecurringPaymentBody(json: try request.json(), processor: processor)
            return PaymentRequest(
                body.charge, fingerprint: body.fingerprint, idempotencyKey: try request.idempotencyKey(),
                client: request.client?.name, identifier: request.identifier)
        }
    }
}
