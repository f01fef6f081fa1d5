import AccessControl

/// Who a request is counted for.
enum RequestSender: Hashable, Sendable {
    /// One who has proven who he is, wherever he is.
    case client(String)
    /// A phone that is held to one order. It does not use up what its shop may send.
    case order(client: String, merchantReference: String)
    case address(String)
    /// The first 64 bits of an IPv6 address: each customer has a network of that size at the least.
    case network([UInt8])

    init(_ caller: Caller) {
        self =
            caller.order.map { order in
                // FORT takes 40 characters; a longer one must not be kept for long.
                .order(client: caller.client, merchantReference: String(order.merchantReference.prefix(64)))
            } ?? .client(caller.client)
    }

    init(address text: String) {
        if let address = IPAddress(text), address.bytes.count == 16 {
            self = .network(Array(address.bytes.prefix(8)))
        } else {
            self = .address(text)
        }
    }
}
