import AccessControl
import HTTPTypes
import Hummingbird
import NIOCore
import PaymentRelay

/// `POST /v1/payments`: relays an Apple Pay token.
struct PayEndpoint {
    let relay: PaymentRelay
    let processor: any Processor
    /// In bytes.
    let bodyLimit: Int

    func respond(to request: Request, context: RelayRequestContext) async throws -> Response {
        let json = try await request.readJSON(limit: bodyLimit)
        let body = try PaymentBody(
            json: json, callerAddress: context.callerAddress, verifiesTokens: relay.verifiesTokens, processor: processor
        )
        if let pinned = context.caller?.order {
            let order = body.charge.order
            let differences = pinned.differences(
                command: order.command.rawValue, merchantReference: order.merchantReference, amount: order.amount.value,
                currency: order.currency)
            guard differences.isEmpty else { throw Problem.otherOrder(differences) }
        }
        let payment = PaymentRequest(
            body.charge, applicationDataHash: body.applicationDataHash,
            fingerprint: body.fingerprint,
            idempotencyKey: try request.idempotencyKey(), client: context.caller?.client, identifier: context.id)
        do throws(PaymentRefusal) {
            return Response(try await relay.pay(payment))
        } catch {
            throw Problem(error)
        }
    }
}

extension Response {
    /// A payment's receipt: 202 and where to look while the outcome is open, 200 once it is known.
    fileprivate init(_ result: PaymentResult) {
        self.init(receiptOf: result.payment)
        if result.isReplay { headers[.idempotentReplayed] = "true" }
        headers[.serverTiming] = result.steps.taken
            .map { "\($0.step.rawValue);dur=\($0.duration.milliseconds)" }.joined(separator: ", ")
    }
}
