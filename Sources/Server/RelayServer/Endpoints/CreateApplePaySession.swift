import ApplePaySession
import HTTPListener
import HTTPTypes
import Logging
import PaymentRelay
import PayrelayPrimitives

/// `POST /v1/apple-pay/sessions`: merchant validation for Apple Pay on the web. Returns Apple's session
/// unchanged. A session can open the merchant's payment sheet once, so it is never logged.
struct CreateApplePaySession {
    /// `nil` if Apple Pay on the web is not configured.
    let client: SessionClient?

    func respond(to request: RelayRequest) async throws -> Answer {
        guard let client else {
            throw Problem.notConfigured(
                "Set PAYRELAY_APPLE_PAY_MERCHANT_IDENTIFIER and what belongs to it: see docs/apple-pay-on-the-web.md.")
        }
        let body = try request.json(orEmpty: [:])
        let (domain, endpoint) = try Self.read(body, client.settings)
        do throws(SessionFailure) {
            return Answer(json: try await client.session(for: domain, at: endpoint), status: .ok)
        } catch {
            request.logger.warning("no Apple Pay session", metadata: ["reason": "\(error)"])
            throw Problem(error)
        }
    }

    private static func read(
        _ json: JSON, _ settings: SessionSettings
    ) throws(Problem) -> (domain: MerchantDomain, endpoint: SessionEndpoint) {
        var reader = try JSONFieldReader(body: json)
        let fields = reader.texts(allowing: ["domain", "validation_url"], of: "a session request")
        var endpoint = settings.gateway.staticEndpoint
        if let text = fields["validation_url"] {
            do throws(ValidationURLError) {
                endpoint = try settings.gateway.endpoint(validationURL: text)
            } catch {
                reader.add("validation_url", "\(error)")
            }
        }
        let domain = settings.merchant.domain(named: fields["domain"])
        if domain == nil, !reader.errors.contains(where: { $0.field == "domain" }) {
            let names = settings.merchant.domains.map(\.name).joined(separator: ", ")
            reader.add("domain", "must be one that is configured here: \(names)")
        }
        guard reader.errors.isEmpty, let domain else { throw .invalidFields(reader.errors) }
        return (domain, endpoint)
    }
}
