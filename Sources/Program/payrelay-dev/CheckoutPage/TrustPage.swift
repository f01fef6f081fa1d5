import HTTPListener
import HTTPTypes
import PayrelayPrimitives
import RelayServer
import TokenMint

/// A page that explains how to make a phone trust a development relay, with a download of the authority's
/// certificate. It contains nothing secret.
struct TrustPage: Sendable {
    private let der: [UInt8]
    private let pem: [UInt8]
    private let description: JSON

    /// - Throws: an error of the ASN.1 library; never for an authority that was read or created.
    init(_ authority: DevelopmentAuthority) throws {
        der = try authority.der
        pem = Array(try authority.pem.utf8)
        description = ["name": .string(authority.commonName), "sha256": .string(try authority.fingerprint)]
    }

    var routes: [Route] {
        [
            Route(.get, "/trust", access: .ownPage) { _ in PageFile.trust.answer },
            Route(.get, "/_dev/ca.json", access: .ownPage) { [description] _ in Answer(json: description) },
            Route(.get, "/_dev/ca.cer", access: .ownPage) { [der] _ in Self.certificate(der, "payrelay-dev-ca.cer") },
            Route(.get, "/_dev/ca.pem", access: .ownPage) { [pem] _ in Self.certificate(pem, "payrelay-dev-ca.pem") },
        ]
    }

    /// Returns a certificate with the media type that makes a phone offer to install it.
    private static func certificate(_ bytes: [UInt8], _ name: String) -> Answer {
        Answer(
            head: HTTPResponse(
                status: .ok,
                headerFields: [
                    .contentType: "application/x-x509-ca-cert",
                    .contentDisposition: "attachment; filename=\"\(name)\"",
                ]),
            body: bytes)
    }
}
