import PayrelayPrimitives
import struct FoundationEssentials.Date

/// The signer's certificate, its issuer and the trust anchor must make a valid path (Apple's steps 1.b and 1.c, RFC
/// 5280, 6.1), of exactly these three. Dates are judged at the signing time: leaves expire after five years, and
/// ``FreshnessCheck`` bounds how far that time may lie from now.
enum ChainCheck {
    static func judge(
        _ certificates: any MessageCertificates, _ path: SignerPath, anchor: TrustAnchor, at signingTime: Date
    ) throws(CheckFailure) -> CheckResult<Void> {
        do throws(CheckFailure) {
            try certificates.validate(path, at: signingTime)
        } catch {
            throw CheckFailure("no valid path to \(anchor.commonName) at \(signingTime.rfc3339): \(error.reason)")
        }
        return CheckResult("ends in \(anchor.commonName), valid at \(signingTime.rfc3339)")
    }
}
