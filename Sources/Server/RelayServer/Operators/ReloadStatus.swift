import Synchronization

/// The result of the last reload of each part. After a failure, the previous version stays in use.
public final class ReloadStatus: Sendable {
    /// A part that is read again on SIGHUP. The raw values are metric labels.
    public enum Part: String, CaseIterable, Sendable {
        case accessKeys = "access_keys"
        case adminCertificate = "admin_certificate"
        case listenerCertificate = "listener_certificate"
        case merchantIdentity = "merchant_identity"
        case operators
        case processingCertificates = "processing_certificates"
    }

    private let succeeded: Mutex<[Part: Bool]>

    /// - Parameter parts: the configured parts, which were read successfully at the start.
    public init(_ parts: [Part] = []) {
        succeeded = Mutex(Dictionary(parts.map { ($0, true) }) { one, _ in one })
    }

    public func note(_ part: Part, succeeded: Bool) {
        self.succeeded.withLock { $0[part] = succeeded }
    }

    var all: [(part: Part, succeeded: Bool)] {
        succeeded.withLock { succeeded in Part.allCases.compactMap { part in succeeded[part].map { (part, $0) } } }
    }
}
