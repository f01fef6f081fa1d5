public import ApplePaySession
public import ApplePayToken
import FoundationEssentials
public import HTTPListener
public import PayrelayPrimitives

/// The certificates that the operator configured, as they were last read, and when they expire.
public struct ConfiguredCertificates: Sendable {
    /// The public listener's certificate; `nil` if the listener has no TLS.
    let listener: ListenerCertificate?
    /// The admin listener's certificate; `nil` if the listener has no TLS.
    let adminListener: ListenerCertificate?
    /// `nil` if Apple Pay on the web is not configured.
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

    /// Returns when each certificate expires. For a listener's chain, this is the certificate that expires first.
    ///
    /// - Parameter lastSeen: the last day on which a token was seen, by `publicKeyHash`.
    public func ends(lastSeen: [Base64Text: CalendarDay] = [:]) -> [CertificateEnd] {
        let listeners: [(CertificateEnd.Kind, ListenerCertificate?)] = [
            (.listener, listener), (.adminListener, adminListener),
        ]
        // All certificates were parsed before, so `try?` drops none of them.
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
