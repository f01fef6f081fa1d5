public import GatewayModule
public import OutboundHTTP
public import Settings

/// A gateway for `payrelay-dev sandbox`, `dev`, `demo` and `loadtest`: its sandbox, and how a relay pays there.
public protocol GatewaySandbox: Sendable {
    /// The values that a load test needs to pay at this gateway.
    static var loaded: LoadedGateway { get }
    /// The relay's paths that receive the gateway's messages, under their names in
    /// ``SandboxOnDesk/messageAddresses``.
    static var messagePaths: [String: String] { get }

    /// Creates a sandbox with the gateway's accounts in a relay's settings. If the settings have no account of
    /// this gateway, the sandbox uses its default account, which is public: its secrets protect nothing.
    ///
    /// - Parameters:
    ///   - settings: the settings; the reader collects their errors.
    ///   - tokenLifetime: the number of seconds after its signing during which a token is accepted.
    ///   - observe: called with each request of the relay and its reply, before the reply is sent; must not
    ///     block.
    init(
        knowing settings: inout SettingReader, tokenLifetime: Double,
        observe: @escaping @Sendable (GatewayExchange) -> Void) throws

    /// Whether the account is the sandbox's default account.
    var hasOwnAccount: Bool { get }
    var sandbox: any ListeningSandbox & SandboxOnDesk { get }

    /// Returns the module with which a relay pays at the sandbox.
    func module(at address: SandboxAddress) throws -> any GatewayModule

    /// Returns the module's settings for a relay, as shell commands that end in a line break. The account is left
    /// out if it comes from the relay's own settings.
    func exports(at address: SandboxAddress) -> String
}

/// A request of the relay to a gateway's sandbox and the reply, for display.
public struct GatewayExchange: Sendable {
    /// The gateway's name.
    public let gateway: String
    public let merchantReference: String
    /// The request as it arrived. Secrets are left out unless the account is the sandbox's default account.
    public let request: String
    /// The text that the relay signed and the signature type; `nil` if the gateway has no signatures.
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
