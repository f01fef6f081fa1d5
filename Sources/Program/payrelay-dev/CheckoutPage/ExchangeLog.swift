import PayrelayPrimitives
import Synchronization

/// The last exchanges of the relay with its clients and with the sandboxes. They are kept in memory, up to a
/// number and a size.
final class ExchangeLog: Sendable {
    private struct State {
        /// The exchanges, the oldest first.
        var exchanges: [RecordedExchange] = []
        var bytes = 0
    }

    private let limit: Int
    private let byteLimit: Int
    private let state = Mutex(State())

    /// - Parameters:
    ///   - limit: the maximum number of exchanges. The oldest are removed first.
    ///   - byteLimit: the maximum total size of their texts, in bytes.
    init(limit: Int = 200, byteLimit: Int = 8_388_608) {
        self.limit = limit
        self.byteLimit = byteLimit
    }

    func record(_ exchange: RecordedExchange) {
        state.withLock { state in
            state.exchanges.append(exchange)
            state.bytes += exchange.bytes
            while state.exchanges.count > limit || state.bytes > byteLimit {
                state.bytes -= state.exchanges.removeFirst().bytes
            }
        }
    }

    /// Returns the newest exchanges of all orders and clients, the newest first.
    func newest(limit: Int) -> [JSONObject] {
        state.withLock { $0.exchanges.suffix(limit) }.reversed().map(\.json)
    }

    /// Returns the exchanges about an order, the oldest first; empty if the client did not pay the order.
    ///
    /// - Parameter client: the client's name; `nil` if clients need not authenticate. In that case the exchanges
    ///   of all clients are returned.
    func exchanges(of merchantReference: String, client: String?) -> [JSON] {
        let all = state.withLock { $0.exchanges }.filter { $0.merchantReference == merchantReference }
        guard let client else { return all.map { .object($0.json) } }
        let isOwn = all.contains { $0.party == .client(client) }
        return isOwn ? all.filter { $0.party == .client(client) || $0.party.isGateway }.map { .object($0.json) } : []
    }
}
