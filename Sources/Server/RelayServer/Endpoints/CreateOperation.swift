import AccessControl
import HTTPListener
import HTTPTypes
import PaymentRelay
import PayrelayPrimitives

/// `POST /v1/payments/{merchant_reference}/capture`, `/void` and `/refund`.
struct CreateOperation {
    let command: OperationCommand
    let relay: PaymentRelay

    func respond(to request: RelayRequest) async throws -> Answer {
        let reference = request.pathParameter
        let body = try OperationBody(json: request.json(orEmpty: [:]), command: command)
        let operation = OperationRequest(
            merchantReference: reference, command: command, amount: body.amount, currency: body.currency,
            maintenanceReference: body.maintenanceReference, idempotencyKey: try request.idempotencyKey(),
            fields: body.fields, visible: request.client?.visiblePayments, identifier: request.identifier)
        do throws(OperationRefusal) {
            let result = try await relay.perform(operation)
            var response = Answer(json: result.operation.receipt ?? [], status: .ok)
            if result.operation.state.isOpen { response.isOpen(reference) }
            if result.isReplay { response.head.headerFields[.idempotentReplayed] = "true" }
            return response
        } catch {
            throw Problem(error)
        }
    }
}
