import AccessControl
import HTTPListener
import HTTPTypes
import PaymentRelay
import PayrelayPrimitives

extension PaymentRelay {
    /// Pays what a request asks for, and answers it on its event loop: the payment has a task of its own, which goes on when the
    /// client has gone.
    ///
    /// - Parameter payment: reads the request.
    func pay(
        answering request: RelayRequest, _ handle: ResponseHandle, _ payment: () throws(Problem) -> PaymentRequest
    ) {
        let asked: PaymentRequest
        do throws(Problem) {
            asked = try payment()
        } catch {
            handle.answer(error.response)
            return handle.end()
        }
        pay(
            asked, executor: handle.executor,
            answer: { result in
                let response =
                    switch result {
                    case .success(let result): WholeResponse(result, for: request.client)
                    case .failure(let refusal): Problem(refusal).response
                    }
                handle.answer(response)
            }, ended: handle.end)
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
