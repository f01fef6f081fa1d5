public import PayrelayPrimitives

/// The addresses from which notifications are accepted. Portmone publishes no addresses; a merchant configures
/// the addresses that Portmone gave.
public struct NotificationSources: Sendable, Hashable {
    private let addresses: Set<IPAddress>

    /// - Parameter addresses: the accepted addresses; if empty, every address is accepted.
    public init(_ addresses: Set<IPAddress> = []) {
        self.addresses = addresses
    }

    /// Returns whether a notification from this address is accepted.
    ///
    /// - Parameter peer: the sender's address; `nil` if it is not known.
    public func allow(_ peer: String?) -> Bool {
        guard !addresses.isEmpty else { return true }
        return peer.flatMap { IPAddress($0) }.map(addresses.contains) ?? false
    }
}
