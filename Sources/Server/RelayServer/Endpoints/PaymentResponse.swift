import AccessControl
import HTTPListener
import HTTPTypes
import PaymentRelay
import PayrelayPrimitives

extension PaymentRelay {
    /// Executes a payment request. The payment is completed even if the client disconnects. The request counts as
    /// under way until the payment has ended, which may be after the response.
    func pay(_ payment: PaymentRequest, answering request: RelayRequest) async throws(Problem) -> Answer {
        do throws(PaymentRefusal) {
            let result = try await pay(
                payment, executor: request.executor, ended: { withExtendedLifetime(request.underWay) {} })
            return Answer(result, for: request.client, knowing: gateways.vocabulary)
        } catch {
            throw Problem(error)
        }
    }
}

extension Answer {
    /// Creates the response with a payment's receipt: 202 with a `Location` while the outcome is open, 200 when
    /// it is known.
    fileprivate init(
        _ result: PaymentReply, for client: AuthenticatedClient?, knowing vocabulary: AnswerVocabulary
    ) {
        self.init(receiptOf: result.payment, for: client, knowing: vocabulary)
        if result.isReplay { head.headerFields[.idempotentReplayed] = "true" }
        let timing = result.steps.taken.map { "\($0.step.rawValue);dur=\($0.duration.milliseconds)" }
        if !timing.isEmpty { head.headerFields[.serverTiming] = timing.joined(separator: ", ") }
    }
}
