import AccessControl
import HTTPListener
import PaymentRelay
import PayrelayPrimitives

/// `POST /v1/recurring-payments`: charges a card that the gateway has stored. The response is that of
/// ``CreatePayment``.
struct CreateRecurringPayment {
    let relay: PaymentRelay

    func respond(to request: RelayRequest) async throws(Problem) -> Answer {
        var payment = try PaymentRequest(
            recurringBody: try request.json(), gateways: relay.gateways, client: request.client?.name,
            identifier: request.identifier)
        payment.idempotencyKey = try request.idempotencyKey()
        return try await relay.pay(payment, answering: request)
    }
}
