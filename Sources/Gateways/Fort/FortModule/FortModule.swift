public import ApplePayToken
public import FortAPI
public import GatewayModule
public import Logging
public import Observability
public import OutboundHTTP
public import PaymentRelay
public import PayrelayPrimitives

/// FORT of Amazon Payment Services as a module of the service.
public struct FortModule: GatewayModule {
    public static let name = "fort"
    public static let title = "FORT"
    public static let orderFields = FortGateway.orderFields
    public static let answerFields = FortGateway.answerFields
    public static let longestMessage = FortFeedback.sizeLimit

    /// The merchant's accounts at FORT.
    public var fortAccounts: FortAccounts
    public var endpoint: GatewayEndpoint
    /// The time limit for one exchange. When it passes, the payment becomes `uncertain`.
    public var timeout: Duration
    /// The limit of concurrent requests, and the rule for opening the circuit breaker.
    public var limits: GatewayLimits

    public init(
        accounts: FortAccounts, endpoint: GatewayEndpoint = .fortTest, timeout: Duration = .seconds(30),
        limits: GatewayLimits = GatewayLimits()
    ) {
        fortAccounts = accounts
        self.endpoint = endpoint
        self.timeout = timeout
        self.limits = limits
    }

    public var accounts: [GatewayAccount] {
        fortAccounts.entries.map { GatewayAccount($0) }
    }

    public var requestsInFlight: Int { limits.requestsInFlight }
    public var takesRealMoney: Bool { endpoint == .fortProduction }

    public static func errors(in value: String, ofField name: String) -> [String] {
        FortField.named(name)?.errors(in: value) ?? []
    }

    public static func sizes(of token: PaymentToken) -> [TokenFieldSize] {
        token.fortParts.compactMap { field, text in
            field.maximumLength.map {
                TokenFieldSize(field: field.name, length: text.unicodeScalars.count, limit: $0)
            }
        }
    }

    public func connect(
        over client: OutboundClient, registry: MetricsRegistry, logger: Logger
    ) throws -> any ConnectedGateway {
        try FortConnection(self, transport: client, registry: registry, logger: logger)
    }

    public func diagnose(over client: OutboundClient) async -> ([Diagnostic], clock: Diagnostic?) {
        let check = FortCheck(endpoint: endpoint, timeout: timeout) { request in
            await client.send(request).map { ($0.status, $0.body, $0.header("Date")) }
        }
        var diagnostics: [Diagnostic] = []
        for entry in fortAccounts.entries {
            diagnostics += await check.diagnostics(for: entry, isOneOfSeveral: fortAccounts.entries.count > 1)
        }
        return (diagnostics, check.clock)
    }
}
