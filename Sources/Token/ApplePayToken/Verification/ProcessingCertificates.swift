import Synchronization

/// The merchant's payment processing certificates, as they were last read. A reload replaces them in every
/// verifier that uses this object.
public final class ProcessingCertificates: Sendable, ExpressibleByArrayLiteral {
    private let present: Mutex<[ProcessingCertificate]>

    public init(_ certificates: [ProcessingCertificate]) {
        present = Mutex(certificates)
    }

    public convenience init(arrayLiteral certificates: ProcessingCertificate...) {
        self.init(certificates)
    }

    public var all: [ProcessingCertificate] { present.withLock { $0 } }

    public func replace(with certificates: [ProcessingCertificate]) {
        present.withLock { $0 = certificates }
    }
}

/// The policy for a token that was not encrypted for any of the configured payment processing certificates.
public enum UnknownProcessingCertificates: String, CaseIterable, Sendable {
    /// The token is relayed, because the gateway may have the key of a certificate that is not configured here.
    case accepted
    case refused
}
