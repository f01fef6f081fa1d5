public import FortAPI
public import OutboundHTTP
import PayrelayPrimitives

/// A client for each of the merchant's accounts.
public struct FortClients: Sendable {
    public let accounts: FortAccounts
    /// In the order of the accounts' entries.
    private let clients: [FortClient]

    /// - Parameter observe: called after each exchange of each client; must not block.
    public init(
        accounts: FortAccounts, endpoint: GatewayEndpoint, transport: any GatewayTransport,
        observe: @escaping @Sendable (FortExchange) -> Void = { _ in }
    ) {
        self.accounts = accounts
        clients = accounts.entries.map {
            FortClient(account: $0.account, endpoint: endpoint, transport: transport, observe: observe)
        }
    }

    /// - Parameter name: the merchant's own for the account; nil takes the first.
    /// - Returns: nil where there is no such account.
    func client(named name: String?) -> FortClient? {
        guard let name else { return clients.first }
        return accounts.entries.firstIndex { $0.name.isExactly(name) }.map { clients[$0] }
    }
}
