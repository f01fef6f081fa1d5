import HTTPListener
import HTTPTypes

/// `GET /.well-known/apple-developer-merchantid-domain-association`: the file that Apple reads to verify the
/// merchant's domain.
struct GetDomainAssociation {
    /// The file's contents when the service started; `nil` if no file is configured.
    let file: [UInt8]?

    func respond(to request: RelayRequest) throws -> Answer {
        guard let file else { throw Problem.notConfigured("Set PAYRELAY_APPLE_PAY_DOMAIN_FILE.") }
        return Answer(
            head: HTTPResponse(status: .ok, headerFields: [.contentType: "text/plain"]), body: file)
    }
}
