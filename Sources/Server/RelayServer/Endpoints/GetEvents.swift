import HTTPListener
import PaymentRelay
import PayrelayPrimitives

/// `GET /v1/payments/{merchant_reference}/events`: a payment's events, and the delivery attempts of each event.
///
/// The backend's responses are left out: they are meant for the merchant, and a client need not be the merchant's
/// backend.
struct GetEvents {
    let relay: PaymentRelay

    func respond(to request: RelayRequest) async throws -> Answer {
        let events = try await relay.events(
            of: request.pathParameter, among: request.client?.visiblePayments)
        guard let events else { throw Problem.noSuchPayment }
        return Answer(
            json: [
                "merchant_reference": .string(request.pathParameter),
                "events": .array(events.map { $0.json(withAnswers: false) }),
            ])
    }
}
