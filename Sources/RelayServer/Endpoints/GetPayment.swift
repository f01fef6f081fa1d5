import AccessControl
import ApplePayToken
import FoundationEssentials
import HTTPListener
import PayrelayPrimitives
import PaymentRelay

/// `GET /v1/payments/{merchant_reference}`: what is known of a payment, with its history.
/// `POST /v1/payments/{merchant_reference}/sync`: the same, after asking the processor.
struct GetPayment {
    let relay: PaymentRelay

    func show(_ request: RelayRequest) async throws -> WholeResponse {
        let reference = request.merchantReference
        // Who is held to one order does not hear of the others.
        if let order = request.client?.order, order.merchantReference != reference { throw Problem.noSuchPayment }
        return try await respond(with: relay.payment(reference, for: request.client?.name), to: request.client)
    }

    func sync(_ request: RelayRequest) async throws -> WholeResponse {
        try await respond(
            with: relay.sync(request.merchantReference, for: request.client?.name, request: request.identifier),
            to: request.client)
    }

    private func respond(with payment: Payment?, to client: AuthenticatedClient?) async throws -> WholeResponse {
        guard let payment else { throw Problem.noSuchPayment }
        let history = try await relay.history(of: payment.merchantReference)
        var json = payment.knownSoFar
        json["apple_transaction_identifier"] = payment.appleTransactionIdentifier.map { .string($0) }
        json["made_elsewhere"] = payment.isMadeElsewhere ? true : nil
        if payment.balance != Balance() || !payment.operations.isEmpty {
            json["captured_amount"] = JSON(payment.balance.captured)
            json["refunded_amount"] = JSON(payment.balance.refunded)
        }
        json["operations"] = payment.operations.isEmpty ? nil : .array(payment.operations.map { $0.json(on: payment) })
        json["history"] = .array(history.map(\.json))
        var response = WholeResponse(json: .object(client?.order == nil ? json : PhoneReceipt.of(json)))
        if payment.isOpen { response.isOpen(payment.merchantReference) }
        return response
    }
}

extension Payment {
    /// The receipt with the present outcome, or what would stand in it while the payment is processing.
    fileprivate var knownSoFar: JSONObject {
        if let receipt, var members = (try? JSON(parsing: receipt))?.objectValue {
            members["outcome"] = .string(state.rawValue)
            return members
        }
        return Receipt(of: self, state: state, answer: nil, reason: nil).json
    }
}

extension PaymentOperation {
    /// The stored receipt of the operation; before it ended, what is known of it.
    fileprivate func json(on payment: Payment) -> JSON {
        var json = receipt.flatMap { (try? JSON(parsing: $0))?.objectValue } ?? [:]
        json["merchant_reference"] = nil
        json["command"] = .string(command.rawValue)
        json["maintenance_reference"] = maintenanceReference.map { .string($0) }
        json["amount"] = JSON(amount)
        if receipt == nil { json["outcome"] = .string(outcome(on: payment)) }
        json["begun_at"] = .string(begunAt.rfc3339InMilliseconds)
        return .object(json)
    }
}

extension HistoryEntry {
    fileprivate var json: JSON {
        var json: JSONObject = [
            "at": .string(at.rfc3339InMilliseconds),
            "outcome": .string(state.rawValue),
        ]
        json["reason"] = reason.map { .string($0) }
        json["operator"] = operatorRequest.map { .string($0.operatorName) }
        json["request_id"] = (operatorRequest?.identifier ?? requestIdentifier).map { .string($0) }
        return .object(json)
    }
}
