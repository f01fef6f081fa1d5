import AccessControl
import HTTPTypes
import Hummingbird
import OrderedJSON
import PaymentRelay

/// `POST /v1/payments/{merchant_reference}/capture`, `/void` and `/refund`: what is done with a payment once it is authorized.
struct MaintenanceEndpoint {
    let command: MaintenanceCommand
    let relay: PaymentRelay
    /// In bytes.
    let bodyLimit: Int

    func respond(to request: Request, context: RelayRequestContext) async throws -> Response {
        let reference = try context.merchantReference()
        let body = try MaintenanceBody(json: await request.readJSON(limit: bodyLimit, orEmpty: [:]), command: command)
        let maintenance = MaintenanceRequest(
            merchantReference: reference, command: command, amount: body.amount, currency: body.currency,
            maintenanceReference: body.maintenanceReference, idempotencyKey: try request.idempotencyKey(),
            fields: body.fields, client: context.caller?.client, identifier: context.id)
        do throws(MaintenanceRefusal) {
            let result = try await relay.maintain(maintenance)
            var response = Response(json: result.operation.receipt ?? [], status: .ok)
            if result.operation.state.isOpen { response.isOpen(reference) }
            if result.isReplay { response.headers[.idempotentReplayed] = "true" }
            return response
        } catch {
            throw Problem(error)
        }
    }
}
