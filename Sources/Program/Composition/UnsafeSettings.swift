import ApplePaySession
import ApplePayToken
import FoundationEssentials
import HTTPListener
import Logging
import PayrelayPrimitives

extension RelayConfiguration {
    /// Logs every setting that is allowed but not safe for production.
    ///
    /// - Parameter hasCertificate: whether the public listener has TLS.
    func warnOfUnsafeSettings(hasCertificate: Bool, logger: Logger) {
        if let end = applePaySessions?.identities.inUse(at: Date()).notAfter,
            end.timeIntervalSinceNow < 30 * 86_400
        {
            logger.warning(
                "the merchant identity certificate expires soon, or has expired", metadata: ["end": "\(end)"])
        }
        if let end = processingCertificates.certificates.all.map(\.notAfter).max(),
            end.timeIntervalSinceNow < 30 * 86_400
        {
            logger.warning(
                "the last payment processing certificate expires soon, or has expired", metadata: ["end": "\(end)"])
        }
        if tokenVerifier == nil {
            logger.warning("token verification is off: tokens are relayed unchecked")
        }
        if let anchor = foreignTrustAnchor {
            logger.warning(
                "tokens of another root than Apple's are accepted in production",
                metadata: ["root": "\(anchor.commonName)"])
        }
        if access == nil {
            logger.warning("no authentication configured: listening on loopback only")
        } else if !hasCertificate, !IPAddress.isLoopback(host: http.host) {
            logger.warning(
                "no TLS on the public listener: terminate TLS in a proxy, or API keys and tokens are sent in clear text"
            )
        }
    }
}
