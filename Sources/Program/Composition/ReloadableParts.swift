import AccessControl
import ApplePaySession
import HTTPListener
import Logging
import OutboundHTTP
import RelayServer

/// The parts of the service that are read from files, and again on SIGHUP. Each is an element of ``all``.
struct ReloadableParts: Sendable {
    /// The public listener's certificate; `nil` if the listener has no TLS.
    let certificate: ListenerCertificate?
    let adminCertificate: ListenerCertificate?
    /// The keys of API clients; `nil` if clients do not authenticate.
    let access: ReloadableAccess?
    let operators: ReloadableValue<Operators>
    private let configuration: RelayConfiguration

    /// - Parameter client: fetches the keys at a URL.
    init(_ configuration: RelayConfiguration, fetchingWith client: OutboundClient, logger: Logger) throws {
        self.configuration = configuration
        certificate = try configuration.tls.map { try ListenerCertificate($0) }
        adminCertificate = try configuration.adminTLS.map { try ListenerCertificate($0) }
        access = configuration.access.map { ReloadableAccess($0, fetchingWith: client, logger: logger) }
        operators = ReloadableValue(configuration.operators?.operators ?? Operators())
    }

    var all: [Reloadable] {
        [
            certificate.map { part(.listenerCertificate, $0) },
            adminCertificate.map { part(.adminCertificate, $0) },
            access.map { access in
                Reloadable(part: .accessKeys, name: "API and JWT keys") {
                    let count = try access.reload()
                    return ["api_keys": "\(count.apiKeys)", "jwt_keys": "\(count.tokenKeys)"]
                }
            },
            configuration.operators.map { [operators] policy in
                Reloadable(part: .operators, name: "operators") {
                    let new = try policy.readAgain()
                    operators.replace(with: new)
                    return ["operators": "\(new.entries.count)"]
                }
            },
            configuration.applePaySessions.map { sessions in
                Reloadable(part: .merchantIdentity, name: "merchant identity") {
                    try sessions.identities.reload()
                    return ["certificates": "\(sessions.identities.all.count)"]
                }
            },
            processingCertificates,
        ].compactMap { $0 }
    }

    private var processingCertificates: Reloadable? {
        let files = configuration.processingCertificates
        guard !files.isEmpty else { return nil }
        return Reloadable(part: .processingCertificates, name: "payment processing certificates") {
            ["certificates": "\(try files.reload())"]
        }
    }

    private func part(_ part: ReloadStatus.Part, _ certificate: ListenerCertificate) -> Reloadable {
        Reloadable(part: part, name: "TLS certificate") {
            try certificate.reload()
            return [:]
        }
    }
}
