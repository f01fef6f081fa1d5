import AccessControl
import HTTPListener
import UnderWay

extension RequestSender {
    /// Returns the shares of the slots that a request counts for. The slot is taken once the whole body is there, and is held until the
    /// request is answered, also when its client has gone: what was begun for it is carried through.
    ///
    /// - Parameters:
    ///   - client: `nil` if it is not authenticated.
    ///   - address: the client's, without a port.
    ///   - authenticates: whether clients authenticate. If they do not, the listener is on loopback: a client
    ///     there may use all slots, and one behind a proxy counts by its address.
    static func shares(
        of client: AuthenticatedClient?, at address: String?, authenticates: Bool
    ) -> [Slots<RequestSender>.Share] {
        if let client {
            let own = Slots<RequestSender>.Share(holder: .client(client.name), limit: .sixteenthsOfFree(48))
            guard client.order != nil else { return [own] }
            return [
                own, .init(holder: .orders(of: client.name), limit: .sixteenthsOfFree(16)),
                .init(holder: RequestSender(client), limit: .sixteenthsOfFree(1)),
            ]
        }
        guard let address else { return [] }
        let peer = PeerNetwork(address: address)
        if authenticates { return [.init(holder: .peer(peer), limit: .sixteenthsOfFree(4))] }
        return peer.isLoopback ? [] : [.init(holder: .peer(peer), limit: .sixteenthsOfFree(16))]
    }
}
