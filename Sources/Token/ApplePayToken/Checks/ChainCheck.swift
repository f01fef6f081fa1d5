import PayrelayPrimitives

import struct FoundationEssentials.Date

/// Checks that the signer's certificate, its issuer and the trust anchor form a valid path of exactly these three
/// (Apple's steps 1.b and 1.c; RFC 5280, 6.1).
///
/// The dates are checked at the signing time, because leaves expire after five years. ``FreshnessCheck`` limits
/// the distance between the signing time and now.
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
