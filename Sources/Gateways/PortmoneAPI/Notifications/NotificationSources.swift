public import PayrelayPrimitives

/// The addresses from which notifications are taken. Portmone publishes none; a merchant lists those that it was told.
public struct NotificationSources: Sendable, Hashable {
    private let addresses: Set<IPAddress>

    /// - Parameter addresses: none for every address.
    public init(_ addresses: Set<IPAddress> = []) {
        self.addresses = addresses
    }

    /// - Parameter peer: the address of who sent it; nil where it is not known.
    public func allow(_ peer: String?) -> Bool {
        guard !addresses.isEmpty else { return true }
        return peer.flatMap { IPAddress($0) }.map(addresses.contains) ?? false
    }
}
