import AccessControl
import HTTPListener
import PayrelayPrimitives

/// The sender that a request counts for in the rate and concurrency limits.
enum RequestSender: Hashable, Sendable {
    /// An authenticated client, whatever its address.
    case client(String)
    /// All order tokens of a client together.
    case orders(of: String)
    /// A phone with an order token. It does not use up its shop's limit.
    case order(client: String, merchantReference: String)
    case peer(PeerNetwork)

    init(_ client: AuthenticatedClient) {
        self =
            client.order.map { order in
                // The API accepts references of at most 40 characters. A longer one is cut so that it does not
                // occupy memory.
                .order(client: client.name, merchantReference: order.merchantReference.beginning(64))
            } ?? .client(client.name)
    }
}
