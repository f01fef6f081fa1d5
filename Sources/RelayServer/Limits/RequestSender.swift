import Primitives
import AccessControl

/// Who a request is counted for.
enum RequestSender: Hashable, Sendable {
    /// A client that has authenticated, whatever its address.
    case client(String)
    /// All order tokens of a client together.
    case orders(of: String)
    /// A phone that is held to one order. It does not use up what its shop may send.
    case order(client: String, merchantReference: String)
    case address(String)
    /// The first 64 bits of an IPv6 address: each customer has a network of that size at the least.
    case network([UInt8])

    init(_ client: AuthenticatedClient) {
        self =
            client.order.map { order in
                // FORT takes 40 characters; a longer one must not be kept for long.
                .order(client: client.name, merchantReference: String(order.merchantReference.prefix(64)))
            } ?? .client(client.name)
    }

    init(address text: String) {
        if let address = IPAddress(text) {
            // An IPv4 address inside IPv6 is the IPv4 address, however it is written.
            self = address.bytes.count == 16 ? .network(Array(address.bytes.prefix(8))) : .address(address.text)
            if address.isLoopback { self = .address(Self.loopback) }
        } else {
            self = .address(text)
        }
    }

    var isLoopback: Bool { self == .address(Self.loopback) }

    private static let loopback = "127.0.0.1"
}
