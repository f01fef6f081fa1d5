import AccessControl
import HTTPListener
import HTTPTypes
import PaymentRelay
import PayrelayPrimitives

/// `POST /v1/payments`: relays an Apple Pay token. It answers on an event loop: the payment has a task of its own, which goes on
/// when the client has gone.
struct CreatePayment {
    let relay: PaymentRelay
    let processor: any Processor
    /// Nil where the iOS Simulator's token is refused.
    var simulatorTokens: SimulatorTokens?

    func respond(to request: RelayRequest, _ handle: ResponseHandle) {
        let payment: PaymentRequest
        do throws(Problem) {
            payment = try self.payment(of: request)
        } catch {
            handle.answer(error.response)
            return handle.end()
        }
        relay.pay(
            payment, executor: handle.executor,
            answer: { result in
                let response =
                    switch result {
                    case .success(let result): WholeResponse(result, for: request.client)
                    case .failure(let refusal): Problem(refusal).response
                    }
                handle.answer(response)
            }, ended: handle.end)
    }

    private func payment(of request: RelayRequest) throws(Problem) -> PaymentRequest {
        let order = request.client?.order
        var json = try request.json()
        if let order { json = try OrderTokenRule(order: order).held(json) }
        let body = try PaymentBody(
            json: json, clientAddress: request.clientAddress, verifiesTokens: relay.verifiesTokens,
            processor: processor, simulatorTokens: simulatorTokens)
        let key = try request.idempotencyKey()
        return PaymentRequest(
            body.charge, applicationDataHash: body.applicationDataHash,
            fingerprint: body.fingerprint,
            // An order token names its one order already, and a phone must not use up the keys of its shop.
            idempotencyKey: order == nil ? key : nil, client: request.client?.name, identifier: request.identifier,
            isSimulated: body.isSimulated)
    }
}

extension WholeResponse {
    /// A payment's receipt: 202 and where to look while the outcome is open, 200 once it is known.
    fileprivate init(_ result: PaymentResult, for client: AuthenticatedClient?) {
        self.init(receiptOf: result.payment, for: client)
        if result.isReplay { head.headerFields[.idempotentReplayed] = "true" }
        let timing = result.steps.taken.map { "\($0.step.rawValue);dur=\($0.duration.milliseconds)" }
        if !timing.isEmpty { head.headerFields[.serverTiming] = timing.joined(separator: ", ") }
    }
}
