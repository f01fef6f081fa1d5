/// Checks Apple's marker extensions (step 1.a): "The value for these marker OIDs doesn't matter, only their
/// presence."
///
/// The signer's certificate must have the leaf's marker, and its issuer the intermediate's; neither may have the
/// other's marker. Other certificates under the same root can sign as well, for example every merchant's
/// processing certificate. A marker in another certificate of the message proves nothing.
struct MarkerCheck {
    static let leaf = MarkerCheck(
        oid: CertificateIdentifiers.leafMarker, other: CertificateIdentifiers.intermediateMarker,
        bearer: "the signer's certificate")
    static let intermediate = MarkerCheck(
        oid: CertificateIdentifiers.intermediateMarker, other: CertificateIdentifiers.leafMarker,
        bearer: "the certificate of the signer's issuer")

    let oid: String
    /// The marker of the other certificate in the path.
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
