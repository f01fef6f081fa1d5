import AccessControl
import HTTPListener
import PayrelayPrimitives
import RelayServer

/// `GET /_dev/exchanges/{merchant_reference}`: the exchanges about an order between client, relay and gateway.
/// Empty if there were none, or if another client pays the order.
struct GetExchanges {
    let log: ExchangeLog

    func respond(to request: RelayRequest) -> Answer {
        let reference = request.pathParameter
        // A phone with an order token sees only its own order.
        let isOwn = request.client?.order.map { $0.merchantReference == reference } ?? true
        let exchanges = isOwn ? log.exchanges(of: reference, client: request.client?.name) : []
        return Answer(json: ["exchanges": .array(exchanges)])
    }
}
