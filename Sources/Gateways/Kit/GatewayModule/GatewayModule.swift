public import ApplePayToken
public import ArgumentParser
public import Console
public import Logging
public import Observability
public import OutboundHTTP
public import PaymentRelay
public import RelayServer
public import ServiceLifecycle
public import Settings

/// The module of a payment gateway: its settings and everything that depends on them. The program lists each
/// module in one line (`GatewayModules.swift`); all other code that is specific to a gateway is in its module.
public protocol GatewayModule: Sendable {
    /// The same as ``Gateway/name``.
    static var name: String { get }
    /// The same as ``Gateway/title``.
    static var title: String { get }
    static var settings: [SettingGroup] { get }
    /// The settings of one account, if there can be several.
    static var accountSettings: AccountSettings { get }
    /// The setting for the time limit of one exchange with the gateway.
    static var timeoutSetting: Setting { get }
    static var orderFields: [OrderField] { get }
    static var answerFields: AnswerFields { get }
    /// The maximum size of the gateway's own requests to this service (notifications), in bytes.
    static var longestMessage: Int { get }

    /// Returns why a value is invalid for a field of an order. Returns no errors if the value is valid, or if the
    /// gateway has no such field.
    static func errors(in value: String, ofField name: String) -> [String]

    /// Commands of the program that are only for this gateway.
    static var commands: [any ParsableCommand.Type] { get }
    /// Returns the length of each text that is sent to the gateway with the token, with its limit.
    static func sizes(of token: PaymentToken) -> [TokenFieldSize]
    /// Returns the outcome for a status in the gateway's transaction report; `nil` if the gateway has no such
    /// status, or if the status leaves the outcome open. The status is a number in digits or the gateway's own
    /// word.
    static func reportedOutcome(_ status: String) -> ReportedOutcome?

    /// Reads the gateway's settings.
    ///
    /// - Parameter isRequired: whether it is an error if there is no account.
    /// - Returns: `nil` if there is no account, or if a setting is wrong. The reader then has the errors.
    init?(_ settings: inout SettingReader, isRequired: Bool)

    /// The accounts; never empty.
    var accounts: [GatewayAccount] { get }
    /// The maximum number of requests that are sent at once.
    var requestsInFlight: Int { get }
    /// The endpoint that takes the gateway's requests.
    var endpoint: GatewayEndpoint { get }
    /// Whether the gateway charges real cards, as opposed to a test environment.
    var takesRealMoney: Bool { get }

    /// Creates the gateway that charges.
    ///
    /// - Parameters:
    ///   - client: sends the gateway's requests.
    ///   - registry: holds the gateway's metrics.
    func connect(
        over client: OutboundClient, registry: MetricsRegistry, logger: Logger
    ) throws -> any ConnectedGateway

    /// Checks whether the gateway answers and accepts each account. Nothing is charged.
    ///
    /// - Returns: the results, and the difference between this machine's clock and the gateway's if a response
    ///   had a date.
    func diagnose(over client: OutboundClient) async -> ([Diagnostic], clock: Diagnostic?)
}

extension GatewayModule {
    public static var commands: [any ParsableCommand.Type] { [] }
    public static func sizes(of token: PaymentToken) -> [TokenFieldSize] { [] }
    public static func reportedOutcome(_ status: String) -> ReportedOutcome? { nil }
}

/// The length of one text of a token, and the limit that the gateway documents for it, both in characters.
public struct TokenFieldSize: Sendable, Equatable {
    /// The gateway's name for the field.
    public let field: String
    public let length: Int
    public let limit: Int

    public init(field: String, length: Int, limit: Int) {
        self.field = field
        self.length = length
        self.limit = limit
    }

    public var fits: Bool { length <= limit }
}

/// A payment gateway in the running service.
public protocol ConnectedGateway: Sendable {
    /// The gateway that the core charges with.
    var gateway: any Gateway { get }
    /// The gateway's availability for each account.
    var availability: [AccountAvailability] { get }

    /// Makes the accounts that were never queried due for a query within a second. Called when an operator or a
    /// monitoring system looks at the accounts.
    func queryAccountsSoon()

    /// The pages that the gateway adds to the console.
    var pages: GatewayPages { get }
    /// A service that restores the connection to the gateway after an outage. A command that queries the gateway
    /// outside the relay's process runs it, too.
    var recovery: any Service { get }
    /// Other services that run alongside the listeners. They stop after the listeners.
    var services: [any Service] { get }

    /// Reduces the gateway's limits to this instance's share, if the limits apply to the merchant and not to each
    /// instance.
    func divideLimits(among instances: Int)

    /// Returns the routes that the gateway adds to the public listener: notifications, and clients' requests that
    /// are only for this gateway.
    ///
    /// - Parameter bodyLimit: the maximum size of a client's body, in bytes.
    func routes(relay: PaymentRelay, bodyLimit: Int) -> [Route]
}
