import ApplePaySession
import Composition
import GatewayModule
import OutboundHTTP
import PayrelayPrimitives

/// Checks Apple Pay on the web: whether Apple opens a session for each domain, and whether each domain serves
/// Apple's file.
struct AppleCheck {
    typealias Fetch = @Sendable (_ url: String) async -> Outcome<(status: Int, body: [UInt8])>

    private let settings: SessionSettings?
    private let domainFile: [UInt8]?
    private let fetch: Fetch

    init(_ configuration: RelayConfiguration, client: OutboundClient) {
        self.init(configuration.applePaySessions, domainFile: configuration.applePayDomainFile) { url in
            await client.send(
                OutboundRequest(method: .get, url: url, timeout: .seconds(10), answerLimit: 65_536)
            ).map { ($0.status, $0.body) }
        }
    }

    init(_ settings: SessionSettings?, domainFile: [UInt8]?, fetch: @escaping Fetch) {
        self.settings = settings
        self.domainFile = domainFile
        self.fetch = fetch
    }

    func diagnostics() async -> [Diagnostic] {
        guard let settings else {
            return [
                .unknown(
                    "apple-pay-on-the-web", "it is not configured",
                    advice: "Nothing to do if only apps pay: docs/apple-pay-on-the-web.md.")
            ]
        }
        let apple = IdentityTransport(settings)
        defer { apple.shutdown() }
        let sessions = SessionClient(settings, transport: apple)
        var diagnostics: [Diagnostic] = []
        for domain in settings.merchant.domains {
            diagnostics.append(await session(for: domain, from: sessions))
            diagnostics.append(await file(of: domain))
        }
        return diagnostics
    }

    private func session(for domain: MerchantDomain, from client: SessionClient) async -> Diagnostic {
        let check = "apple-session:\(domain)"
        do throws(SessionFailure) {
            _ = try await client.session(for: domain, at: client.settings.gateway.staticEndpoint)
            return .pass(check, "Apple opens a session with the merchant identity certificate")
        } catch {
            let advice =
                switch error {
                case .notSent: "Look at DNS, the firewall and the proxy between this machine and Apple."
                case .unknown: "Apple is down, or a firewall drops: try again."
                case .refused:
                    "Register and verify the domain under the merchant identifier in Apple's portal, and compare the merchant identity certificate with the one there."
                case .notASession: "A proxy answers in Apple's place."
                }
            return .fail(check, error.description, advice: advice)
        }
    }

    private func file(of domain: MerchantDomain) async -> Diagnostic {
        let check = "apple-domain-file:\(domain)"
        let url = "https://\(domain)/.well-known/apple-developer-merchantid-domain-association"
        let answer: (status: Int, body: [UInt8])
        do throws(NoAnswer) {
            answer = try await fetch(url).get()
        } catch {
            return .unknown(
                check, "\(url): \(error.reason)", advice: "Ask for it from outside your network; Apple does.")
        }
        guard answer.status == 200 else {
            let advice =
                (300..<400).contains(answer.status)
                ? "Apple follows no redirect: serve the file at this very address."
                : "Forward this path to the relay, and set PAYRELAY_APPLE_PAY_DOMAIN_FILE to the file from Apple's portal."
            return .fail(check, "\(url) answered \(answer.status)", advice: advice)
        }
        guard let domainFile else {
            return .unknown(
                check, "\(url) is there; PAYRELAY_APPLE_PAY_DOMAIN_FILE names no file to compare it with",
                advice: "Compare it with the file from Apple's portal.")
        }
        guard answer.body == domainFile else {
            return .fail(
                check, "\(url) is another file than PAYRELAY_APPLE_PAY_DOMAIN_FILE names",
                advice: "Another server answers, or one of the two is older.")
        }
        return .pass(check, "\(url) is the file that the relay has")
    }
}
