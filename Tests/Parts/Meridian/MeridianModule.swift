import ApplePayToken
import Console
import FoundationEssentials
public import GatewayModule
import HTTPListener
import HTTPTypes
import Hummingbird
public import Logging
public import Observability
public import OutboundHTTP
public import PaymentRelay
import PayrelayAPI
public import PayrelayPrimitives
import RelayServer
import ServiceLifecycle
public import Settings

/// Meridian as a module of the service.
public struct MeridianModule: GatewayModule {
    public static let name = "meridian"
    public static let title = "Meridian"
    public static let orderFields = ["command", "merchant_reference", "amount", "currency", "customer_ip"].map {
        OrderField($0)
    }
    public static let longestMessage = 65_536
    public static let answerFields = AnswerFields(
        [
            AnswerField("payment_intent", for: .phone, isListed: true, title: "Intent"),
            AnswerField("payment_option", for: .phone, isListed: true, title: "Paid with"),
            AnswerField("card_number", for: .phone, about: .card, isListed: true, title: "Card"),
            AnswerField("response_code", for: .phone, isListed: true),
            AnswerField("response_message", for: .phone, isListed: true),
        ], reference: "payment_intent", cardNumber: "card_number", network: "payment_option",
        responseCode: "response_code", message: "response_message")

    let meridianAccounts: MeridianAccounts
    public let endpoint: GatewayEndpoint
    let timeout: Duration
    let limits: GatewayLimits

    public init(
        accounts: MeridianAccounts, endpoint: GatewayEndpoint, timeout: Duration = .seconds(30),
        limits: GatewayLimits = GatewayLimits()
    ) {
        meridianAccounts = accounts
        self.endpoint = endpoint
        self.timeout = timeout
        self.limits = limits
    }

    public var accounts: [GatewayAccount] { meridianAccounts.entries.map { GatewayAccount($0) } }
    public var requestsInFlight: Int { limits.requestsInFlight }
    public var takesRealMoney: Bool { false }

    public static func errors(in value: String, ofField name: String) -> [String] { [] }

    public func connect(
        over client: OutboundClient, registry: MetricsRegistry, logger: Logger
    ) throws -> any ConnectedGateway {
        MeridianConnection(self, transport: client, logger: logger)
    }

    public func diagnose(over client: OutboundClient) async -> ([Diagnostic], clock: Diagnostic?) {
        var diagnostics: [Diagnostic] = []
        for entry in meridianAccounts.entries {
            let client = MeridianClient(
                account: entry.account, endpoint: endpoint, transport: client, timeout: timeout, observe: { _, _ in })
            let check = "meridian-account:\(entry.name)"
            switch await client.get("/v1/account") {
            case .answered(.done): diagnostics.append(Diagnostic(check, .pass, "Meridian takes the key"))
            case .answered, .notSent, .unknown:
                diagnostics.append(
                    Diagnostic(check, .fail, "Meridian does not take the key", advice: "Compare the secret key."))
            }
        }
        return (diagnostics, nil)
    }
}

extension MeridianModule {
    private static let account = Setting(
        "meridian.account_id", .text("acct_ and letters"), default: .required, "The account.", example: "acct_1")
    private static let secretKey = Setting(
        "meridian.secret_key", .secret("the secret key"), default: .required, "The account's secret key.", example: "sk"
    )
    private static let webhookSecret = Setting(
        "meridian.webhook_secret", .secret("the signing secret"), default: .required, "Signs webhooks.", example: "wh")
    private static let address = Setting("meridian.endpoint", .url, default: .required, "Meridian's address.")
    public static let timeoutSetting = Setting(
        "meridian.timeout_seconds", .number(1...300, of: .seconds), default: .value(30), "Timeout of one exchange.")

    public static let accountSettings = AccountSettings(
        section: name, title: title, nameOfSingle: name, settings: [account, secretKey, webhookSecret])
    public static let settings = [
        SettingGroup("Name the Meridian account", accountSettings.settings),
        SettingGroup("Say where Meridian is", [address, timeoutSetting]),
    ]

    public init?(_ settings: inout SettingReader, isRequired: Bool) {
        let accounts = settings.accounts(Self.accountSettings, isRequired: isRequired) { settings, setting in
            MeridianAccount(
                identifier: settings.required(setting(Self.account)),
                secretKey: settings.secret(setting(Self.secretKey)),
                webhookSecret: settings.secret(setting(Self.webhookSecret)))
        }
        guard let accounts else { return nil }
        self.init(
            accounts: accounts, endpoint: settings.value(Self.address) { try? GatewayEndpoint($0) },
            timeout: settings.seconds(Self.timeoutSetting))
    }
}

/// Meridian as a part of the running service.
struct MeridianConnection: ConnectedGateway {
    let gateway: any Gateway
    let recovery: any Service
    let services: [any Service]
    let pages = GatewayPages(gateway: MeridianModule.name)
    private let module: MeridianModule
    private let guarded: GuardedTransport
    private let watch: AvailabilityWatch

    init(_ module: MeridianModule, transport: any GatewayTransport, logger: Logger) {
        let accounts = module.meridianAccounts
        let watch = AvailabilityWatch(of: MeridianModule.title, accounts: accounts.entries.map(\.name), logger: logger)
        let guarded = GuardedTransport(transport, limits: module.limits) {
            watch.circuitBreakerChanged(isClosed: $0)
        }
        let observe: @Sendable (MeridianAccount, Outcome<Int>) -> Void = { account, status in
            guard let entry = accounts.entry(identifiedBy: account.identifier) else { return }
            switch status {
            case .answered(200), .answered(402): watch.observe(entry.name, .answering, isVerified: true)
            case .answered(401):
                watch.observe(entry.name, .refusing, isVerified: false, failure: "Compare the secret key")
            case .answered: watch.observe(entry.name, .answering, isVerified: false)
            case .unknown(let reason): watch.observe(entry.name, .notAnswering, isVerified: false, failure: reason)
            case .notSent(let reason): watch.observe(entry.name, nil, isVerified: false, failure: reason)
            }
        }
        func clients(over transport: any GatewayTransport) -> AccountClients<MeridianAccount, MeridianClient> {
            AccountClients(accounts) {
                MeridianClient(
                    account: $0, endpoint: module.endpoint, transport: transport, timeout: module.timeout,
                    observe: observe)
            }
        }
        let probing = clients(over: guarded.probing)
        let probe = AccountProbe(watch) { name in
            _ = await probing.choice(named: name)?.client.get("/v1/account", timeout: AccountProbe.timeout)
        }
        gateway = MeridianGateway(
            clients: clients(over: guarded), timeout: module.timeout, verify: probe.whyUnverified)
        services = [probe]
        recovery = CircuitBreakerProbe {
            await guarded.watch(with: .get(module.endpoint, path: "/v1/account", timeout: module.timeout))
        }
        self.module = module
        self.guarded = guarded
        self.watch = watch
    }

    var availability: [AccountAvailability] { watch.all }
    func queryAccountsSoon() { watch.querySoon() }
    func divideLimits(among instances: Int) { guarded.divideLimit(among: instances) }

    /// The route `POST /v1/meridian/webhooks`. Even a signed message is only a hint: the relay queries Meridian.
    func routes(relay: PaymentRelay, bodyLimit: Int) -> [Route] {
        let (accounts, receiver) = (
            module.meridianAccounts, HintReceiver(relay: relay, title: MeridianModule.title)
        )
        return [
            Route(
                .post, "/v1/meridian/webhooks", access: .gateway, bodyLimit: MeridianModule.longestMessage
            ) { request in
                let signature = HTTPField.Name("Meridian-Signature").flatMap { request.head.headerFields[$0] }
                let (intent, entry): (MeridianIntent, MeridianAccounts.Entry)
                do throws(MeridianWebhook.Failure) {
                    (intent, entry) = try MeridianWebhook.intent(
                        in: request.bytes, signature: signature, of: accounts,
                        at: Int(Date().timeIntervalSince1970))
                } catch {
                    throw error == .notAnEvent
                        ? Problem(.feedbackMalformed, "It changed nothing: it is not an event.")
                        : Problem(.feedbackNotProven, "It changed nothing: \(error).")
                }
                _ = try await receiver.receive(
                    GatewayHint(intent, of: entry.name), kind: .notification, from: request.clientAddress)
                return Answer(head: HTTPResponse(status: .ok), body: [])
            }
        ]
    }
}

extension GatewayHint {
    fileprivate init(_ intent: MeridianIntent, of account: String) {
        let (subject, statement): (Subject, Statement) =
            switch intent.status {
            case .succeeded where intent.refunded > .zero: (.operation(.refund), .refunded)
            case .succeeded: (.charge(.purchase), .captured)
            case .requiresCapture: (.charge(.authorization), .authorized)
            case .canceled: (.operation(.voidAuthorization), .voided)
            case .requiresPaymentMethod: (.charge(.purchase), .declined)
            case .processing, nil: (.charge(.purchase), .undecided)
            }
        self.init(
            account: account, merchantReference: intent.order, subject: subject, statement: statement,
            amount: intent.amount, currency: intent.currency.code, gatewayReference: intent.identifier)
    }
}
