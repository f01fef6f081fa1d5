/// Apple's marker extensions (step 1.a): "The value for these marker OIDs doesn't matter, only their presence."
///
/// They must be on the signer's own certificate and on its issuer, each its own and not the other's. Other
/// certificates under the same root, such as every merchant's processing certificate, can sign as well; a marker
/// elsewhere in the message proves nothing.
struct MarkerCheck {
    static let leaf = MarkerCheck(
        oid: CertificateIdentifiers.leafMarker, other: CertificateIdentifiers.intermediateMarker,
        bearer: "the signer's certificate")
    static let intermediate = MarkerCheck(
        oid: CertificateIdentifiers.intermediateMarker, other: CertificateIdentifiers.leafMarker,
        bearer: "the certificate of the signer's issuer")

    let oid: String
    /// The marker of the other place in the path.
    let other: String
    let bearer: String

    func judge(_ certificate: Certificate) throws(CheckFailure) -> CheckResult<Void> {
        guard certificate.extensions.contains(oid) else {
            throw CheckFailure("\(bearer) (\(certificate.subject)) lacks Apple's marker \(oid)")
        }
        guard !certificate.extensions.contains(other) else {
            throw CheckFailure(
                "\(bearer) (\(certificate.subject)) has Apple's marker \(other), which belongs elsewhere")
        }
        return CheckResult("\(bearer) has Apple's marker \(oid)")
    }
}
