import FortAPI
import FortModule
import FortSandbox
import GatewayModule
import OutboundHTTP
import PayrelayPrimitives
import SandboxParts
import Settings

/// FORT's sandbox in `payrelay-dev`.
struct FortDevelopment: GatewaySandbox {
    static let loaded = LoadedGateway(
        name: FortModule.name, currency: .AED, booksPath: "/_sandbox/orders", referenceMember: "merchant_reference",
        faultsPath: "/_sandbox/faults", answerFault: "wrong_signature")
    static let messagePaths = [
        "direct_url": "/v1/feedback/direct", "notification_url": "/v1/feedback/notification",
    ]

    private static let accessCode = "SANDBOXACCESSCODE001"
    private static let merchantIdentifier = "SANDBOX001"
    private static let requestPhrase = "sandbox-request-phrase"
    private static let responsePhrase = "sandbox-response-phrase"

    private let fort: FortSandbox
    let hasOwnAccount: Bool

    init(
        knowing settings: inout SettingReader, tokenLifetime: Double,
        observe: @escaping @Sendable (GatewayExchange) -> Void
    ) throws {
        let given = FortModule.accounts(&settings, isRequired: false)
        let accounts =
            try given
            ?? FortAccounts(
                FortAccount(
                    accessCode: Self.accessCode, merchantIdentifier: Self.merchantIdentifier,
                    requestPhrase: Secret(Self.requestPhrase), responsePhrase: Secret(Self.responsePhrase)))
        hasOwnAccount = given == nil
        fort = FortSandbox(
            accounts: accounts, tokenLifetime: tokenLifetime,
            observe: { exchange in
                if let shown = GatewayExchange(exchange, of: accounts) { observe(shown) }
            })
    }

    var sandbox: any ListeningSandbox & SandboxOnDesk { fort }

    func module(at address: SandboxAddress) -> any GatewayModule {
        FortModule(accounts: fort.accounts, endpoint: address.endpoint)
    }

    func exports(at address: SandboxAddress) -> String {
        let endpoint = "export PAYRELAY_FORT_ENDPOINT=\(address.endpoint)\n"
        guard hasOwnAccount else { return endpoint }
        return endpoint + """
            export PAYRELAY_FORT_ACCESS_CODE=\(Self.accessCode)
            export PAYRELAY_FORT_MERCHANT_IDENTIFIER=\(Self.merchantIdentifier)
            export PAYRELAY_FORT_REQUEST_PHRASE=\(Self.requestPhrase)
            export PAYRELAY_FORT_RESPONSE_PHRASE=\(Self.responsePhrase)

            """
    }
}

extension GatewayExchange {
    /// Creates an exchange; `nil` if the request is not about an order.
    fileprivate init?(_ exchange: SandboxExchange, of accounts: FortAccounts) {
        guard let parameters = (try? JSON(parsing: exchange.request))?.objectValue,
            let reference = parameters["merchant_reference"]?.stringValue
        else { return nil }
        let account = parameters["access_code"]?.stringValue.flatMap { accounts.entry(identifiedBy: $0) }?.account
        let signed = account.map { account in
            (
                text: CanonicalText(of: parameters).exposed(within: account.requestPhrase),
                type: account.signatureType.rawValue
            )
        }
        self.init(
            with: FortModule.name, about: reference, request: String(decoding: exchange.request, as: UTF8.self),
            signed: signed, reply: exchange.reply)
    }
}
