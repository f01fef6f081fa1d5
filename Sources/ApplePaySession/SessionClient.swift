import Primitives
import OutboundHTTP

/// Merchant validation for Apple Pay on the web: the merchant proves itself to Apple, and gets the session that the page
/// passes to `completeMerchantValidation`.
///
/// This room knows Apple's hosts, the merchant's identity and the request. A session is Apple's business with the browser:
/// nobody here looks into it, and it is in no log.
public struct SessionClient: Sendable {
    public let settings: SessionSettings
    private let transport: any SessionTransport
    private let timeout: Duration

    /// - Parameter timeout: for one exchange. The customer looks at a pay sheet meanwhile.
    public init(_ settings: SessionSettings, transport: any SessionTransport, timeout: Duration = .seconds(20)) {
        self.settings = settings
        self.transport = transport
        self.timeout = timeout
    }

    /// Asks for a session. It can be used once, within five minutes.
    ///
    /// - Returns: Apple's JSON, byte for byte.
    /// - Throws: ``SessionFailure``. To ask again is safe.
    public func session(
        for domain: MerchantDomain, at endpoint: SessionEndpoint
    ) async throws(SessionFailure) -> [UInt8] {
        let answer: (status: Int, body: [UInt8])
        do {
            answer = try await transport.post(request(for: domain).encoded(), to: endpoint, timeout: timeout)
        } catch {
            throw .noAnswer(reason: error.reason)
        }
        let json = try? JSON(parsing: answer.body)
        guard answer.status == 200 else {
            throw .refused(status: answer.status, message: json?["statusMessage"]?.stringValue)
        }
        // What stands in the way of Apple, a proxy say, must not pass for it.
        guard json?.objectValue != nil else { throw .notASession }
        return answer.body
    }

    /// "Requesting an Apple Pay payment session", developer.apple.com.
    private func request(for domain: MerchantDomain) -> JSON {
        [
            "merchantIdentifier": .string(settings.merchant.identifier),
            "displayName": .string(settings.merchant.displayName.text),
            "initiative": "web",
            "initiativeContext": .string(domain.name),
        ]
    }
}
