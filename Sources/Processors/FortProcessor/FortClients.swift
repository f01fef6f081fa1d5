import PayrelayPrimitives
public import FortAPI
import PaymentRelay

/// A client for each of the merchant's accounts, and the choice among them: by the order's `account`, or by its currency.
public struct FortClients: Sendable {
    public let accounts: FortAccounts
    /// In the order of the accounts' entries.
    private let clients: [FortClient]

    /// - Parameter observe: called after each exchange of each client; must not block.
    public init(
        accounts: FortAccounts, endpoint: FortEndpoint, transport: any FortTransport,
        observe: @escaping @Sendable (FortExchange) -> Void = { _ in }
    ) {
        self.accounts = accounts
        clients = accounts.entries.map {
            FortClient(account: $0.account, endpoint: endpoint, transport: transport, observe: observe)
        }
    }

    /// - Parameters:
    ///   - name: the merchant's own for the account; nil lets the currency decide.
    ///   - currency: ISO 4217, alphabetic; nil takes the first account.
    /// - Returns: nil where there is no such account, or none for the currency.
    public func client(named name: String?, currency: String?) -> FortClient? {
        guard let chosen = entry(named: name, currency: currency),
            let place = accounts.entries.firstIndex(where: { $0.name == chosen.name })
        else { return nil }
        return clients[place]
    }

    /// What is wrong with the choice. An unknown currency is not an error of the account.
    func errors(ofName name: String?, currency: String?) -> [ValidationError] {
        guard entry(named: name, currency: currency) == nil else { return [] }
        if name == nil, currency.flatMap(Currency.init(code:)) == nil { return [] }
        let names = accounts.entries.map(\.name).joined(separator: ", ")
        let detail =
            name == nil ? "is missing: no account is for this currency; there are \(names)" : "must be one of \(names)"
        return [ValidationError(field: "account", detail: detail)]
    }

    /// The account's own name, which the journal keeps: later operations take the same account, and only its messages count.
    func accountName(named name: String?, currency: String?) -> String? {
        entry(named: name, currency: currency)?.name
    }

    private func entry(named name: String?, currency: String?) -> FortAccounts.Entry? {
        if let name { return accounts.entry(named: name) }
        guard let currency else { return accounts.entries.first }
        return Currency(code: currency).flatMap(accounts.entry(for:))
    }
}
