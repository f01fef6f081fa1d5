import AccessControl
import PayrelayPrimitives
import HTTPListener

/// What a request counts for in the limits of clients.
enum RequestSender: Hashable, Sendable {
    /// A client that has authenticated, whatever its address.
    case client(String)
    /// All order tokens of a client together.
    case orders(of: String)
    /// A phone that is held to one order. It does not use up what its shop may send.
    case order(client: String, merchantReference: String)
    case peer(PeerNetwork)

    init(_ client: AuthenticatedClient) {
        self =
            client.order.map { order in
                // FORT takes 40 characters; a longer one must not be kept for long.
                .order(client: client.name, merchantReference: order.merchantReference.beginning(64))
            } ?? .client(client.name)
    }
}
