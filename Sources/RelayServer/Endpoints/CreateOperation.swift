import AccessControl
import HTTPTypes
import Hummingbird
import Primitives
import PaymentRelay

/// `POST /v1/payments/{merchant_reference}/capture`, `/void` and `/refund`.
struct CreateOperation {
    let command: OperationCommand
    let relay: PaymentRelay
    /// In bytes.
    let bodyLimit: Int

    func respond(to request: Request, context: RelayRequestContext) async throws -> Response {
        let reference = try context.merchantReference()
        let body = try OperationBody(json: await request.readJSON(limit: bodyLimit, orEmpty: [:]), command: command)
        let operation = OperationRequest(
            merchantReference: reference, command: command, amount: body.amount, currency: body.currency,
            maintenanceReference: body.maintenanceReference, idempotencyKey: try request.idempotencyKey(),
            fields: body.fields, client: context.client?.name, identifier: context.id)
        do throws(OperationRefusal) {
            let result = try await relay.perform(operation)
            var response = Response(json: result.operation.receipt ?? [], status: .ok)
            if result.operation.state.isOpen { response.isOpen(reference) }
            if result.isReplay { response.headers[.idempotentReplayed] = "true" }
            return response
        } catch {
            throw Problem(error)
        }
    }
}
