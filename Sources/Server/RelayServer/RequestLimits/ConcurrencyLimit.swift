import AccessControl
import HTTPListener
import Synchronization

/// The concurrency limit of requests. A request takes a place once its whole body is there, and has it until it is answered, also
/// when its client has gone: what was begun for it is carried through.
///
/// No holder gets all places (dynamic thresholds for shared buffers, Choudhury and Hahne 1998). It is given another place while it
/// has fewer than its weight times those that are free. So one alone leaves some free, and so do many greedy ones together:
/// `limit / (1 + n * weight)`. A holder without a place gets one while any is free.
final class ConcurrencyLimit: Sendable {
    /// A holder that a request counts for. A request may count for several at once: a phone, all phones of its shop, the shop.
    struct Share: Sendable {
        let holder: RequestSender
        /// In sixteenths.
        let weight: Int
    }

    struct Places {
        let limit: Int
        var taken = 0
        var held: [RequestSender: Int] = [:]

        func hasRoom(for shares: [Share]) -> Bool {
            let free = limit - taken
            return free > 0 && shares.allSatisfy { (held[$0.holder] ?? 0) * 16 < free * $0.weight }
        }
    }

    let places: Mutex<Places>

    init(limit: Int) {
        places = Mutex(Places(limit: limit))
    }

    /// Whether a place could be taken now. For refusing before a body is read.
    func hasRoom(for shares: [Share]) -> Bool { places.withLock { $0.hasRoom(for: shares) } }

    /// - Returns: whether a place was taken. It is to be given back with ``release(_:)`` once nothing goes on for the request.
    func take(_ shares: [Share]) -> Bool {
        places.withLock { places in
            guard places.hasRoom(for: shares) else { return false }
            places.taken += 1
            for share in shares { places.held[share.holder, default: 0] += 1 }
            return true
        }
    }

    /// - Parameter shares: as they were when the place was taken.
    func release(_ shares: [Share]) {
        places.withLock { places in
            places.taken -= 1
            for share in shares {
                let count = (places.held[share.holder] ?? 1) - 1
                places.held[share.holder] = count > 0 ? count : nil
            }
        }
    }

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
