import AccessControl
import HTTPListener
import PaymentRelay
import PayrelayPrimitives

/// `POST /v1/payments`: relays an Apple Pay token.
struct CreatePayment {
    let relay: PaymentRelay
    /// `nil` if the iOS Simulator's token is rejected.
    var simulatorTokens: SimulatorTokens?

    func respond(to request: RelayRequest) async throws(Problem) -> Answer {
        try await relay.pay(try payment(of: request), answering: request)
    }

    // Not inlined: otherwise the values that it reads would stay in the frame of `respond` until the gateway
    // answers.
    @inline(never) private func payment(of request: RelayRequest) throws(Problem) -> PaymentRequest {
        let order = request.client?.order
        var json = try request.json()
        if let order { json = try OrderTokenRule(order: order, fields: relay.gateways.orderFields).held(json) }
        var payment = try PaymentRequest(
            body: json, clientAddress: request.clientAddress, verifiesTokens: relay.verifiesTokens,
            gateways: relay.gateways, simulatorTokens: simulatorTokens, client: request.client?.name,
            identifier: request.identifier)
        let key = try request.idempotencyKey()
        // An order token identifies its order already, and a phone must not use up its shop's idempotency keys.
        payment.idempotencyKey = order == nil ? key : nil
        return payment
    }
}
