import AccessControl
import HTTPListener
import UnderWay

extension RequestSender {
    /// Returns the shares of the slots that a request counts for. The slot is taken when the whole body has
    /// arrived, and is held until the request is answered. That includes requests whose clients have
    /// disconnected, because their work is completed.
    ///
    /// - Parameters:
    ///   - client: `nil` if the client is not authenticated.
    ///   - address: the client's address, without a port.
    ///   - authenticates: whether clients authenticate. If they do not, the listener is on loopback: a client on
    ///     loopback may use all slots, and a client behind a proxy is limited by its address.
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
