import PayrelayPrimitives

/// The unit to which limits by address apply: an IPv4 address, or the first 64 bits of an IPv6 address, because
/// every customer of a network provider has at least a /64 network. All loopback addresses count as one.
public enum PeerNetwork: Hashable, Sendable {
    case address(String)
    case network([UInt8])

    /// - Parameter text: an address. An IPv4 address inside an IPv6 address counts as the IPv4 address. A text
    ///   that is not an address is used as it is.
    public init(address text: String) {
        if let address = IPAddress(text) {
            self = address.bytes.count == 16 ? .network(Array(address.bytes.prefix(8))) : .address(address.text)
            if address.isLoopback { self = .address(Self.loopback) }
        } else {
            self = .address(text)
        }
    }

    public var isLoopback: Bool { self == .address(Self.loopback) }

    private static let loopback = "127.0.0.1"
}
