import AccessControl
import HTTPListener
import HTTPTypes
import Hummingbird
import NIOCore
import PaymentRelay
import Primitives

/// `POST /v1/payments`: relays an Apple Pay token.
struct CreatePayment {
    let relay: PaymentRelay
    let processor: any Processor
    /// In bytes.
    let bodyLimit: Int

    func respond(to request: Request, context: RelayRequestContext) async throws -> Response {
        let order = context.client?.order
        var json = try await request.readJSON(limit: bodyLimit)
        if let order { json = try OrderTokenRule(order: order).held(json) }
        let body = try PaymentBody(
            json: json, clientAddress: context.clientAddress, verifiesTokens: relay.verifiesTokens, processor: processor
        )
        let key = try request.idempotencyKey()
        let payment = PaymentRequest(
            body.charge, applicationDataHash: body.applicationDataHash,
            fingerprint: body.fingerprint,
            // An order token names its one order already, and a phone must not use up the keys of its shop.
            idempotencyKey: order == nil ? key : nil, client: context.client?.name, identifier: context.id)
        do throws(PaymentRefusal) {
            let result = try await relay.pay(payment) { context.carriedOn.note($0) }
            return Response(result, for: context.client)
        } catch {
            throw Problem(error)
        }
    }
}

extension Response {
    /// A payment's receipt: 202 and where to look while the outcome is open, 200 once it is known.
    fileprivate init(_ result: PaymentResult, for client: AuthenticatedClient?) {
        self.init(receiptOf: result.payment, for: client)
        if result.isReplay { headers[.idempotentReplayed] = "true" }
        let timing = result.steps.taken.map { "\($0.step.rawValue);dur=\($0.duration.milliseconds)" }
        if !timing.isEmpty { headers[.serverTiming] = timing.joined(separator: ", ") }
    }
}
