import Console
import FoundationEssentials
public import GatewayModule
public import Logging
public import Observability
public import OutboundHTTP
public import PaymentRelay
public import PayrelayPrimitives
public import PortmoneAPI

/// Portmone as a module of the service.
public struct PortmoneModule: GatewayModule {
    public static let name = "portmone"
    public static let title = "Portmone"
    public static let orderFields = PortmoneGateway.orderFields
    public static let answerFields = PortmoneGateway.answerFields
    public static let longestMessage = PortmoneNotification.sizeLimit

    /// The merchant's accounts at Portmone.
    let portmoneAccounts: PortmoneAccounts
    let address: PortmoneEndpoint
    /// The time limit for all exchanges about one request. When it passes, the payment becomes `uncertain`.
    let timeout: Duration
    let limits: GatewayLimits
    let sources: NotificationSources
    let closing: ThreeDSecureClosing
    let unseenReturn: UnseenReturn

    /// - Parameters:
    ///   - limits: the limit of concurrent requests, and the rule for opening the circuit breaker.
    ///   - sources: the addresses that may send notifications.
    ///   - closing: the rule for closing a bill that can be completed only on a page of the bank.
    ///   - unseenReturn: how long a refund that `result` does not show may still be processed.
    public init(
        accounts: PortmoneAccounts, at address: PortmoneEndpoint = .production, timeout: Duration = .seconds(30),
        limits: GatewayLimits = GatewayLimits(), sources: NotificationSources = NotificationSources(),
        closing: ThreeDSecureClosing = ThreeDSecureClosing(), unseenReturn: UnseenReturn = UnseenReturn()
    ) {
        portmoneAccounts = accounts
        self.address = address
        self.timeout = timeout
        self.limits = limits
        self.sources = sources
        self.closing = closing
        self.unseenReturn = unseenReturn
    }

    public var accounts: [GatewayAccount] {
        portmoneAccounts.entries.map { GatewayAccount($0) }
    }

    public var requestsInFlight: Int { limits.requestsInFlight }
    public var endpoint: GatewayEndpoint { address.charges }
    public var takesRealMoney: Bool { address == .production }

    public static func errors(in value: String, ofField name: String) -> [String] {
        PortmoneOrderFields.errors(in: value, ofField: name)
    }

    public func connect(
        over client: OutboundClient, registry: MetricsRegistry, logger: Logger
    ) throws -> any ConnectedGateway {
        PortmoneConnection(self, transport: client, registry: registry, logger: logger)
    }

    public func diagnose(over client: OutboundClient) async -> ([Diagnostic], clock: Diagnostic?) {
        var diagnostics: [Diagnostic] = []
        for entry in portmoneAccounts.entries {
            diagnostics.append(
                await PortmoneCheck(address: address, timeout: timeout, transport: client).diagnostic(entry))
        }
        diagnostics.append(
            Diagnostic(
                "portmone-wire", .unknown,
                "the encoding of paymentData and the request for a preauthorization were never tried with a live Portmone",
                advice: "Pay once with a real card before you open the shop: docs/portmone.md."))
        return (diagnostics, nil)
    }
}

/// Queries Portmone about an order that does not exist. An empty list proves that the address, the login and the
/// payee are right, and that Portmone accepts the days of the query.
struct PortmoneCheck {
    let address: PortmoneEndpoint
    let timeout: Duration
    let transport: any GatewayTransport
    var moment = Date()

    func diagnostic(_ entry: PortmoneAccounts.Entry) async -> Diagnostic {
        let check = "portmone-account:\(entry.name)"
        let client = PortmoneClient(account: entry.account, endpoint: address, transport: transport)
        switch await client.send(ResultRequest.probe(at: moment), timeout: timeout) {
        case .notSent(let reason):
            return Diagnostic(
                check, .fail, reason,
                advice: "Look at DNS, the firewall and the proxy between this machine and Portmone. Nothing was sent.")
        case .unknown(let reason):
            return Diagnostic(
                check, .fail, reason, advice: "A firewall that drops, a proxy, or Portmone is down: try again.")
        case .answered(let answer):
            switch answer.content {
            case .entries:
                return Diagnostic(check, .pass, "Portmone takes the login and the payee \(entry.account.payeeID)")
            case .nothing:
                return Diagnostic(check, .unknown, "Portmone answered nothing", advice: "Ask Portmone what it lacks.")
            case .failure(let failure, _):
                return Diagnostic(
                    check, .fail, "Portmone answered \(failure)",
                    advice: "Compare login, password and payee with what Portmone gave you.")
            }
        }
    }
}
