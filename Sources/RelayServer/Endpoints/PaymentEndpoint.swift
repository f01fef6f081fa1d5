import FoundationEssentials
import Hummingbird
import OrderedJSON
import PaymentRelay

/// `GET /v1/payments/{merchant_reference}`: what is known of a payment, with its history.
/// `POST /v1/payments/{merchant_reference}/sync`: the same, after asking the processor about an open one.
struct PaymentEndpoint {
    let relay: PaymentRelay

    func show(_ request: Request, context: RelayRequestContext) async throws -> Response {
        try await respond(with: relay.payment(context.merchantReference()))
    }

    func sync(_ request: Request, context: RelayRequestContext) async throws -> Response {
        try await respond(with: relay.sync(context.merchantReference(), request: context.id))
    }

    private func respond(with payment: Payment?) async throws -> Response {
        guard let payment else { throw Problem.noSuchPayment }
        let history = try await relay.history(of: payment.merchantReference)
        var json = payment.knownSoFar
        json["apple_transaction_identifier"] = .string(payment.appleTransactionIdentifier)
        json["history"] = .array(history.map(\.json))
        return Response(json: .object(json), status: payment.state.isOpen ? .accepted : .ok)
    }
}

extension RelayRequestContext {
    fileprivate func merchantReference() throws -> String {
        try parameters.require("merchant_reference")
    }
}

extension Payment {
    /// The receipt, or what would stand in it while the payment is processing.
    fileprivate var knownSoFar: JSONObject {
        if let receipt, let json = try? JSON(parsing: receipt), case .object(let members) = json { return members }
        return Receipt(of: self, state: state, answer: nil, reason: nil).json
    }
}

extension HistoryEntry {
    fileprivate var json: JSON {
        var json: JSONObject = [
            "at": .string(at.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))),
            "outcome": .string(state.rawValue),
        ]
        json["reason"] = reason.map { .string($0) }
        json["request_id"] = requestIdentifier.map { .string($0) }
        return .object(json)
    }
}
