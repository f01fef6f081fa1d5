import GatewayModule
import OutboundHTTP
import PayrelayPrimitives
import PortmoneAPI
import PortmoneModule
import PortmoneSandbox
import SandboxParts
import Settings
import TokenMint

/// Portmone's sandbox in `payrelay-dev`. Its default account accepts hryvnias.
struct PortmoneDevelopment: GatewaySandbox {
    static let loaded = LoadedGateway(
        name: PortmoneModule.name, currency: .UAH, booksPath: "/_sandbox/portmone/bills",
        referenceMember: "shop_order_number", faultsPath: "/_sandbox/portmone/faults", answerFault: "empty")
    static let messagePaths = ["url": "/v1/portmone/notifications"]

    private static let payeeID = "1185"
    private static let login = "SANDBOX"
    private static let password = "sandbox-password"
    private static let appleMerchantID = SandboxPKI.published.merchantIdentifier

    private let portmone: PortmoneSandbox
    private let accounts: PortmoneAccounts
    let hasOwnAccount: Bool

    init(
        knowing settings: inout SettingReader, tokenLifetime: Double,
        observe: @escaping @Sendable (GatewayExchange) -> Void
    ) throws {
        let given = PortmoneModule.accounts(&settings, isRequired: false)
        accounts =
            try given
            ?? PortmoneAccounts([
                .init(
                    name: PortmoneModule.name, currencies: [Self.loaded.currency],
                    account: PortmoneAccount(
                        payeeID: Self.payeeID, login: Self.login, password: Secret(Self.password),
                        appleMerchantID: Self.appleMerchantID, preauthorization: .onRequest))
            ])
        hasOwnAccount = given == nil
        portmone = PortmoneSandbox(
            accounts: accounts.entries.map { PortmoneSandboxAccount($0) }, tokenLifetime: tokenLifetime,
            observe: { exchange in
                if let shown = GatewayExchange(exchange) { observe(shown) }
            })
    }

    var sandbox: any ListeningSandbox & SandboxOnDesk { portmone }

    func module(at address: SandboxAddress) throws -> any GatewayModule {
        PortmoneModule(accounts: accounts, at: PortmoneEndpoint(address.endpoint))
    }

    func exports(at address: SandboxAddress) -> String {
        let endpoint = "export PAYRELAY_PORTMONE_ENDPOINT=\(address.endpoint)\n"
        guard hasOwnAccount else { return endpoint }
        return endpoint + """
            export PAYRELAY_PORTMONE_PAYEE_ID=\(Self.payeeID)
            export PAYRELAY_PORTMONE_LOGIN=\(Self.login)
            export PAYRELAY_PORTMONE_PASSWORD=\(Self.password)
            export PAYRELAY_PORTMONE_APPLE_MERCHANT_ID=\(Self.appleMerchantID)
            export PAYRELAY_PORTMONE_PREAUTHORIZATION=\(PortmoneAPI.Preauthorization.onRequest.rawValue)
            export PAYRELAY_PORTMONE_CURRENCIES=\(Self.loaded.currency.code)

            """
    }
}

extension PortmoneSandboxAccount {
    fileprivate init(_ entry: PortmoneAccounts.Entry) {
        self.init(
            payeeId: entry.account.payeeID, login: entry.account.login, password: entry.account.password,
            appleMerchantIdentifier: entry.account.appleMerchantID,
            currencies: entry.acceptedCurrencies)
    }
}

extension GatewayExchange {
    /// Creates an exchange without the password; `nil` if the request is not about an order.
    fileprivate init?(_ exchange: SandboxExchange) {
        guard var request = (try? JSON(parsing: exchange.request))?.objectValue,
            var parameters = request["params"]?.objectValue, var data = parameters["data"]?.objectValue,
            let reference = data["shopOrderNumber"]?.stringValue
        else { return nil }
        if data["password"] != nil { data["password"] = "(left out)" }
        parameters["data"] = .object(data)
        request["params"] = .object(parameters)
        self.init(
            with: PortmoneModule.name, about: reference,
            request: String(decoding: JSON.object(request).encoded(), as: UTF8.self), reply: exchange.reply)
    }
}
