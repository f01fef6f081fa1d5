public import OutboundHTTP
public import GatewayModule
public import Settings

/// A gateway as `payrelay-dev sandbox`, `dev`, `demo` and `loadtest` have it: its sandbox, and how a relay pays there.
public protocol GatewaySandbox: Sendable {
    /// How a load test pays at it.
    static var loaded: LoadedGateway { get }
    /// The relay's paths that take the gateway's messages, by their names in ``SandboxOnDesk/messageAddresses``.
    static var messagePaths: [String: String] { get }

    /// The gateway with the accounts of a relay's settings; where these have none of it, with an account of its own. That one is public:
    /// its secrets protect nothing.
    ///
    /// - Parameters:
    ///   - settings: keeps what is wrong with them.
    ///   - tokenLifetime: for how many seconds after it was signed a token is good.
    ///   - observe: called with each request of the relay and its reply, before the reply is sent; must not block.
    init(
        knowing settings: inout SettingReader, tokenLifetime: Double,
        observe: @escaping @Sendable (GatewayExchange) -> Void) throws

    /// Whether the account is the sandbox's own.
    var hasOwnAccount: Bool { get }
    var sandbox: any ListeningSandbox & SandboxOnDesk { get }

    /// A relay's module that pays there.
    func module(at address: SandboxAddress) throws -> any GatewayModule

    /// The same as settings of a relay, for a shell; without an account, where that is a relay's own. Ends in a line break.
    func exports(at address: SandboxAddress) -> String
}

/// A request of the relay to a gateway's sandbox, and the reply, to be looked at.
public struct GatewayExchange: Sendable {
    /// The gateway's name.
    public let gateway: String
    public let merchantReference: String
    /// As it arrived, without secrets of an account that is not the sandbox's own.
    public let request: String
    /// What the relay signed, if the gateway has signatures; and how.
    public let signed: (text: String, type: String)?
    public let reply: SandboxReply

    public init(
        with gateway: String, about merchantReference: String, request: String,
        signed: (text: String, type: String)? = nil, reply: SandboxReply
    ) {
        self.gateway = gateway
        self.merchantReference = merchantReference
        self.request = request
        self.signed = signed
        self.reply = reply
    }
}
