import PayrelayPrimitives

/// The unit of limits by address: an IPv4 address, or the first 64 bits of an IPv6 address, since each customer has a
/// network of that size at least. All loopback addresses are one.
public enum PeerNetwork: Hashable, Sendable {
    case address(String)
    case network([UInt8])

    /// - Parameter text: an IPv4 address inside IPv6 counts as the IPv4 address; a text that is no address counts as it is.
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
