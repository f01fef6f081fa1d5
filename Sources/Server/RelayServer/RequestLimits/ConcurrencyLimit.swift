import AccessControl
import HTTPListener
import Synchronization

/// The concurrency limit of requests. A request takes a place once its whole body is there, and has it until it is answered, also
/// when its client has gone: what was begun for it is carried through.
final class ConcurrencyLimit: Sendable {
    typealias Share = FairShare<RequestSender>.Share

    private let places: Mutex<FairShare<RequestSender>>

    init(limit: Int) {
        places = Mutex(FairShare(limit: limit))
    }

    /// Whether a place could be taken now. For refusing before a body is read.
    func hasRoom(for shares: [Share]) -> Bool { places.withLock { $0.hasRoom(for: shares) } }

    /// - Returns: whether a place was taken. It is to be given back with ``release(_:)`` once nothing goes on for the request.
    func take(_ shares: [Share]) -> Bool { places.withLock { $0.take(shares) } }

    /// - Parameter shares: as they were when the place was taken.
    func release(_ shares: [Share]) { places.withLock { $0.release(shares) } }

    /// Returns the shares that a request counts for.
    ///
    /// - Parameters:
    ///   - client: nil if it is not authenticated.
    ///   - address: the client's, without a port.
    ///   - authenticates: whether clients authenticate. Where they do not, the listener is on loopback: a client
    ///     there may use all places, and one behind a proxy counts by its address.
    static func shares(of client: AuthenticatedClient?, at address: String?, authenticates: Bool) -> [Share] {
        if let client {
            let own = Share(holder: .client(client.name), weight: 48)
            guard client.order != nil else { return [own] }
            return [
                own, .init(holder: .orders(of: client.name), weight: 16),
                .init(holder: RequestSender(client), weight: 1),
            ]
        }
        guard let address else { return [] }
        let peer = PeerNetwork(address: address)
        if authenticates { return [.init(holder: .peer(peer), weight: 4)] }
        return peer.isLoopback ? [] : [.init(holder: .peer(peer), weight: 16)]
    }
}
