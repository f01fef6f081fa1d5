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

/// A payment gateway, as the service is composed of it: what its settings say. The service has one line for each (`GatewayModules.swift`);
/// all else that knows a gateway is in its module.
public protocol GatewayModule: Sendable {
    /// As ``Gateway/name``.
    static var name: String { get }
    /// As ``Gateway/title``.
    static var title: String { get }
    static var settings: [SettingGroup] { get }
    /// The settings of one account, where there can be several.
    static var accountSettings: AccountSettings { get }
    /// How long one exchange with it may take.
    static var timeoutSetting: Setting { get }
    static var orderFields: [OrderField] { get }
    static var answerFields: AnswerFields { get }
    /// The longest body of its own requests to this service, in bytes: notifications.
    static var longestMessage: Int { get }

    /// Why a value cannot be that of an order's field; empty where it can, or where the gateway has no such field.
    static func errors(in value: String, ofField name: String) -> [String]

    /// Commands of the program that are for this gateway alone.
    static var commands: [any ParsableCommand.Type] { get }
    /// How long each text of a token is that goes to it, against its limit.
    static func sizes(of token: PaymentToken) -> [TokenFieldSize]
    /// Returns the outcome that a status of the gateway's transaction report states, in digits or as the gateway's own word; `nil` if the
    /// gateway has no such status, or the status leaves the outcome open.
    static func reportedOutcome(_ status: String) -> ReportedOutcome?

    /// Reads its settings.
    ///
    /// - Parameter isRequired: whether it is an error where there is no account.
    /// - Returns: nil where there is no account, or anything is wrong, which is then among the reader's errors.
    init?(_ settings: inout SettingReader, isRequired: Bool)

    /// Not empty.
    var accounts: [GatewayAccount] { get }
    /// How many requests are sent at once.
    var requestsInFlight: Int { get }
    /// Where it takes requests.
    var endpoint: GatewayEndpoint { get }
    /// Whether it charges cards, and is no test environment.
    var takesRealMoney: Bool { get }

    /// Makes what charges.
    ///
    /// - Parameters:
    ///   - client: sends its requests.
    ///   - registry: where its metrics are.
    func connect(
        over client: OutboundClient, registry: MetricsRegistry, logger: Logger
    ) throws -> any ConnectedGateway

    /// Examines whether it answers, and takes each account. Nothing is charged.
    ///
    /// - Returns: what was found, and how this machine's clock differs from the gateway's, where an answer told.
    func diagnose(over client: OutboundClient) async -> ([Diagnostic], clock: Diagnostic?)
}

extension GatewayModule {
    public static var commands: [any ParsableCommand.Type] { [] }
    public static func sizes(of token: PaymentToken) -> [TokenFieldSize] { [] }
    public static func reportedOutcome(_ status: String) -> ReportedOutcome? { nil }
}

/// The length of a text of a token against the limit that the gateway documents for it, both in characters.
public struct TokenFieldSize: Sendable, Equatable {
    /// The gateway's name of the field.
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

/// A payment gateway as the running service has it.
public protocol ConnectedGateway: Sendable {
    /// The gateway that the core charges with.
    var gateway: any Gateway { get }
    /// Its availability for each account.
    var availability: [AccountAvailability] { get }

    /// Has each account queried within a second that was never queried: an operator, or what monitors the relay, looks at it.
    func queryAccountsSoon()

    /// The pages that it adds to the console.
    var pages: GatewayPages { get }
    /// Restores it after an outage. A command that queries the gateway beside the service runs it too.
    var recovery: any Service { get }
    /// Other services that run beside the listeners. They stop after the listeners.
    var services: [any Service] { get }

    /// Takes its part of the gateway's limits, where they are the merchant's and not each instance's.
    func divideLimits(among instances: Int)

    /// Returns the routes that it adds to the public listener: notifications, and requests of clients for it alone.
    ///
    /// - Parameter bodyLimit: the longest body of a client, in bytes.
    func routes(relay: PaymentRelay, bodyLimit: Int) -> [Route]
}
