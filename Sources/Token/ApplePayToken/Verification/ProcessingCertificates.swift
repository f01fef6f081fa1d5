import Synchronization

/// The merchant's payment processing certificates as last read. A reload replaces them for every verifier that holds them.
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

/// Policy for a token that was encrypted for none of the configured payment processing certificates.
public enum UnknownProcessingCertificates: String, CaseIterable, Sendable {
    /// It is relayed: the gateway may have the key of a certificate that is not configured here.
    case accepted
    case refused
}
