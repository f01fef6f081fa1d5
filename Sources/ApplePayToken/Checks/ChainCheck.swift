import struct FoundationEssentials.Date

/// The signer's certificate, its issuer and the trust anchor must make a valid path (Apple's steps 1.b and 1.c, RFC
/// 5280, 6.1), of exactly these three. Dates are judged at the signing time: leaves expire after five years, and
/// ``FreshnessCheck`` bounds how far that time may lie from now.
enum ChainCheck {
    static func judge(
        _ message: OpenSSLMessage, _ path: SignerPath, anchor: TrustAnchor, at signingTime: Date
    ) throws(Refusal) -> Finding<OpenSSLStore> {
        let store = try OpenSSLStore(anchor: anchor, at: signingTime)
        do throws(Refusal) {
            try message.verify(path, trusting: store)
        } catch {
            throw Refusal("no valid path to \(anchor.commonName) at \(signingTime.rfc3339): \(error.reason)")
        }
        return Finding(store, "ends in \(anchor.commonName), valid at \(signingTime.rfc3339)")
    }
}
