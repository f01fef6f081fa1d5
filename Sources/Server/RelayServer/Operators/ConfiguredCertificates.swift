public import ApplePaySession
public import ApplePayToken
import FoundationEssentials
public import HTTPListener
public import PayrelayPrimitives

/// The certificates that the operator configured, as last read, and when they end.
public struct ConfiguredCertificates: Sendable {
    /// The public listener's; nil where it has no TLS.
    let listener: ListenerCertificate?
    /// The admin listener's; nil where it has no TLS.
    let adminListener: ListenerCertificate?
    /// Nil where there is no Apple Pay on the web.
    let identities: MerchantIdentities?
    let processing: ProcessingCertificates

    public init(
        listener: ListenerCertificate? = nil, adminListener: ListenerCertificate? = nil,
        identities: MerchantIdentities? = nil, processing: ProcessingCertificates = []
    ) {
        self.listener = listener
        self.adminListener = adminListener
        self.identities = identities
        self.processing = processing
    }

    /// One for each certificate; of a listener's chain, the first to end.
    ///
    /// - Parameter lastSeen: the last day with a token, by `publicKeyHash`.
    public func ends(lastSeen: [Base64Text: CalendarDay] = [:]) -> [CertificateEnd] {
        let listeners: [(CertificateEnd.Kind, ListenerCertificate?)] = [
            (.listener, listener), (.adminListener, adminListener),
        ]
        // All of them were read before, so that none is left out here.
        var ends = listeners.compactMap { kind, certificate in
            certificate.flatMap { try? CertificateEnd(kind, der: $0.firstToEnd) }
        }
        ends += (identities?.all ?? []).compactMap { try? CertificateEnd(.merchantIdentity, der: $0.certificate) }
        ends += processing.all.map { certificate in
            CertificateEnd(
                kind: .paymentProcessing, subject: certificate.subject, publicKeyHash: certificate.publicKeyHash,
                notAfter: certificate.notAfter, lastSeen: lastSeen[certificate.publicKeyHash])
        }
        return ends
    }
}
