import HTTPTypes
import HTTPListener

/// `GET /.well-known/apple-developer-merchantid-domain-association`: what Apple reads to see that a domain is the merchant's.
struct GetDomainAssociation {
    /// As it was when the service started; nil where the operator named no file.
    let file: [UInt8]?

    func respond(to request: RelayRequest) throws -> Answer {
        guard let file else { throw Problem.notConfigured("Set PAYRELAY_APPLE_PAY_DOMAIN_FILE.") }
        return Answer(
            head: HTTPResponse(status: .ok, headerFields: [.contentType: "text/plain"]), body: file)
    }
}
