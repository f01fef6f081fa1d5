import AccessControl
import ApplePayToken
import FoundationEssentials
import HTTPListener
import PaymentRelay
import PayrelayPrimitives

/// `GET /v1/payments/{merchant_reference}`: all known data of a payment, with its history. `POST
/// /v1/payments/{merchant_reference}/sync`: the same, after querying the gateway.
struct GetPayment {
    let relay: PaymentRelay

    func show(_ request: RelayRequest) async throws -> Answer {
        let reference = request.pathParameter
        // A client with an order token must not learn whether another payment exists.
        if let order = request.client?.order, order.merchantReference != reference { throw Problem.noSuchPayment }
        return try await respond(
            with: relay.payment(reference, among: request.client?.visiblePayments), to: request.client)
    }

    func sync(_ request: RelayRequest) async throws -> Answer {
        try await respond(
            with: relay.sync(
                request.pathParameter, among: request.client?.visiblePayments, request: request.identifier),
            to: request.client)
    }

    private func respond(with payment: Payment?, to client: AuthenticatedClient?) async throws -> Answer {
        guard let payment else { throw Problem.noSuchPayment }
        let history = try await relay.history(of: payment.merchantReference)
        let json = try await payment.view(
            with: history, queries: relay.queriesWithoutChange(of: payment.merchantReference))
        let receipt = PhoneReceipt(vocabulary: relay.gateways.vocabulary)
        var response = Answer(
            json: .object(client?.order == nil ? json : receipt.of(json, gateway: payment.gateway)))
        if payment.isOpen { response.isOpen(payment.merchantReference) }
        return response
    }
}

extension AuthenticatedClient {
    /// The payments that the client may see. A client with an order token never sees external payments, whatever
    /// its scopes are.
    var visiblePayments: VisiblePayments {
        VisiblePayments(
            of: name, includingMadeElsewhere: order == nil && scopes.contains(.paymentsMadeElsewhere))
    }
}
