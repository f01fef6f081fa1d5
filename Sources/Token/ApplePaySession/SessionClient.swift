public import OutboundHTTP
public import PayrelayPrimitives

/// Merchant validation for Apple Pay on the web. The merchant authenticates to Apple, and gets the session that
/// the page passes to `completeMerchantValidation`.
///
/// This target knows Apple's hosts, the merchant's identity and the request. A session is a matter between Apple
/// and the browser, so it is passed on unchanged and never logged.
public struct SessionClient: Sendable {
    public let settings: SessionSettings
    private let transport: any SessionTransport
    private let timeout: Duration

    /// - Parameter timeout: the time limit for one exchange, during which the customer waits in front of the pay
    ///   sheet.
    public init(_ settings: SessionSettings, transport: any SessionTransport, timeout: Duration = .seconds(20)) {
        self.settings = settings
        self.transport = transport
        self.timeout = timeout
    }

    /// Requests a session. A session can be used once, within five minutes.
    ///
    /// - Returns: Apple's JSON, byte for byte.
    /// - Throws: ``SessionFailure``. A retry is safe.
    public func session(
        for domain: MerchantDomain, at endpoint: SessionEndpoint
    ) async throws(SessionFailure) -> [UInt8] {
        let answer: (status: Int, body: [UInt8])
        switch await transport.post(request(for: domain).encoded(), to: endpoint, timeout: timeout) {
        case .answered(let came): answer = came
        case .notSent(let reason): throw .notSent(reason: reason)
        case .unknown(let reason): throw .unknown(reason: reason)
        }
        let json = try? JSON(parsing: answer.body)
        guard answer.status == 200 else {
            throw .refused(status: answer.status, message: json?["statusMessage"]?.stringValue)
        }
        // A proxy in between may have answered with a page of its own.
        guard json?.objectValue != nil else { throw .notASession }
        return answer.body
    }

    /// Returns the request, as described in "Requesting an Apple Pay payment session", developer.apple.com.
    private func request(for domain: MerchantDomain) -> JSON {
        [
            "merchantIdentifier": .string(settings.merchant.identifier),
            "displayName": .string(settings.merchant.displayName.text),
            "initiative": "web",
            "initiativeContext": .string(domain.name),
        ]
    }
}

/// The settings of requests for sessions: the merchant, its identities and the hosts.
public struct SessionSettings: Sendable {
    public let merchant: SessionMerchant
    public let identities: MerchantIdentities
    public let gateway: SessionGateway
    /// The path of a PEM file with the only trusted roots; `nil` for the system's roots.
    public let caFile: String?

    public init(
        merchant: SessionMerchant, identities: MerchantIdentities, gateway: SessionGateway, caFile: String? = nil
    ) {
        self.merchant = merchant
        self.identities = identities
        self.gateway = gateway
        self.caFile = caFile
    }

    /// Returns the settings of a connection to the gateway with mutual TLS.
    func outbound(as identity: MerchantIdentity) -> OutboundSettings {
        OutboundSettings(caFile: caFile, identity: identity.outbound)
    }
}

/// Sends requests to Apple: libcurl with the merchant's certificate in the service, or a script in tests.
public protocol SessionTransport: Sendable {
    /// Sends a JSON body with POST, once.
    func post(
        _ body: [UInt8], to endpoint: SessionEndpoint, timeout: Duration
    ) async -> Outcome<(status: Int, body: [UInt8])>
}

extension OutboundClient: SessionTransport {
    public func post(
        _ body: [UInt8], to endpoint: SessionEndpoint, timeout: Duration
    ) async -> Outcome<(status: Int, body: [UInt8])> {
        // A session has about 5,000 bytes.
        await send(
            OutboundRequest(
                url: endpoint.url, headers: [(name: "Content-Type", value: "application/json")], body: body,
                timeout: timeout, answerLimit: 65_536)
        ).map { ($0.status, $0.body) }
    }
}

/// The reason why there is no session.
public enum SessionFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// Apple was not reached.
    case notSent(reason: String)
    /// Apple did not answer.
    case unknown(reason: String)
    /// Apple answered with another HTTP status than 200, and may have given a reason.
    case refused(status: Int, message: String?)
    /// The answer is not a JSON object.
    case notASession

    public var description: String {
        switch self {
        case .notSent(let reason), .unknown(let reason): "Apple's session host gave no answer: \(reason)"
        case .refused(let status, let message):
            "Apple's session host answered \(status)" + (message.map { ": \($0.beginning(300))" } ?? "")
        case .notASession: "Apple's session host answered something that is not a JSON object"
        }
    }
}
