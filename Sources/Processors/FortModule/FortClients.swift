public import FortAPI
public import OutboundHTTP
public import PayrelayPrimitives

public typealias FortClients = AccountClients<FortAccount, FortClient>

extension FortClients {
    /// - Parameter observe: called after each exchange of each client; must not block.
    public init(
        accounts: FortAccounts, endpoint: GatewayEndpoint, transport: any GatewayTransport,
        observe: @escaping @Sendable (FortExchange) -> Void = { _ in }
    ) {
        self.init(accounts) {
            FortClient(account: $0, endpoint: endpoint, transport: transport, observe: observe)
        }
    }
}
