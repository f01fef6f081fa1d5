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

    /// Runs with a place, which is given back once nothing goes on for the request.
    ///
    /// - Throws: ``Problem`` 503 where there is none, and whatever the body throws.
    func withPlace<Value>(
        for shares: [Share], until carriedOn: CarriedOn, _ body: () async throws -> Value
    ) async throws -> Value {
        guard places.withLock({ $0.take(shares) }) else { throw Problem.tooManyInFlight }
        defer { carriedOn.whenEnded { self.places.withLock { $0.release(shares) } } }
        return try await body()
    }
}

extension RelayRequestContext {
    /// What the request counts for.
    ///
    /// - Parameter authenticates: whether clients authenticate. Where they do not, the listener is on loopback: a client
    ///   there may use all places, and one behind a proxy counts by its address.
    func placeShares(authenticates: Bool) -> [ConcurrencyLimit.Share] {
        if let sender = client {
            let client = ConcurrencyLimit.Share(holder: .client(sender.name), weight: 48)
            guard sender.order != nil else { return [client] }
            return [
                client, .init(holder: .orders(of: sender.name), weight: 16),
                .init(holder: RequestSender(sender), weight: 1),
            ]
        }
        guard let clientAddress else { return [] }
        let peer = PeerNetwork(address: clientAddress)
        if authenticates { return [.init(holder: .peer(peer), weight: 4)] }
        return peer.isLoopback ? [] : [.init(holder: .peer(peer), weight: 16)]
    }
}
