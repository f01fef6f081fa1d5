import AccessControl
import ApplePaySession
import HTTPListener
import Logging
import RelayServer
import ServiceLifecycle
import UnixSignals

/// Reads certificates and keys again on SIGHUP. What cannot be used is logged and counted, and the present one stays in use.
struct ReloadService: Service, CustomStringConvertible {
    /// Without what it holds: a log of the process's services, which is written at `debug`, must not spell keys out.
    var description: String { "ReloadService" }

    /// The public listener's; nil where it speaks no TLS.
    let certificate: ListenerCertificate?
    let adminCertificate: ListenerCertificate?
    let access: ReloadableAccess?
    /// Nil where none are configured.
    let operators: (policy: OperatorPolicy, present: ReloadableOperators)?
    let identities: MerchantIdentities?
    /// Nil where none is configured.
    let processingCertificates: ProcessingCertificateFiles?
    let status: ReloadStatus
    let logger: Logger

    init(
        certificate: ListenerCertificate?, adminCertificate: ListenerCertificate?, access: ReloadableAccess?,
        operators: (policy: OperatorPolicy, present: ReloadableOperators)?, identities: MerchantIdentities?,
        processingCertificates files: ProcessingCertificateFiles, logger: Logger
    ) {
        self.certificate = certificate
        self.adminCertificate = adminCertificate
        self.access = access
        self.operators = operators
        self.identities = identities
        processingCertificates = files.isEmpty ? nil : files
        self.logger = logger
        let parts: [(ReloadStatus.Part, Bool)] = [
            (.listenerCertificate, certificate != nil), (.adminCertificate, adminCertificate != nil),
            (.accessKeys, access != nil), (.operators, operators != nil), (.merchantIdentity, identities != nil),
            (.processingCertificates, !files.isEmpty),
        ]
        status = ReloadStatus(parts.filter(\.1).map(\.0))
    }

    /// Whether there is anything to read again.
    var hasWork: Bool {
        certificate != nil || adminCertificate != nil || access != nil || operators != nil || identities != nil
            || processingCertificates != nil
    }

    func run() async throws {
        for await _ in await UnixSignalsSequence(trapping: .sighup).cancelOnGracefulShutdown() {
            if let certificate { reload(certificate, as: .listenerCertificate) }
            if let adminCertificate { reload(adminCertificate, as: .adminCertificate) }
            if let access { reload(access) }
            if let operators { reload(operators.present, by: operators.policy) }
            if let identities { reload(identities) }
            if let processingCertificates { reload(processingCertificates) }
        }
    }

    private func reload(_ certificate: ListenerCertificate, as part: ReloadStatus.Part) {
        do throws(TLSFilesError) {
            try certificate.reload()
            status.note(part, succeeded: true)
            logger.notice("TLS certificate reloaded")
        } catch {
            status.note(part, succeeded: false)
            logger.error("TLS certificate not reloaded; the old one stays in use", metadata: ["reason": "\(error)"])
        }
    }

    private func reload(_ operators: ReloadableOperators, by policy: OperatorPolicy) {
        do throws(ConfigurationError) {
            let new = try policy.readAgain()
            operators.replace(with: new)
            status.note(.operators, succeeded: true)
            logger.notice("operators reloaded", metadata: ["operators": "\(new.entries.count)"])
        } catch {
            status.note(.operators, succeeded: false)
            logger.error(
                "operators not reloaded; the old ones stay in use",
                metadata: ["reason": "\(error.line)"])
        }
    }

    private func reload(_ access: ReloadableAccess) {
        do throws(ConfigurationError) {
            let count = try access.reload()
            status.note(.accessKeys, succeeded: true)
            logger.notice(
                "API and JWT keys reloaded",
                metadata: ["api_keys": "\(count.apiKeys)", "jwt_keys": "\(count.tokenKeys)"])
        } catch {
            status.note(.accessKeys, succeeded: false)
            logger.error(
                "API and JWT keys not reloaded; the old ones stay in use",
                metadata: ["reason": "\(error.line)"])
        }
    }

    private func reload(_ identities: MerchantIdentities) {
        do throws(MerchantIdentityError) {
            try identities.reload()
            status.note(.merchantIdentity, succeeded: true)
            logger.notice("merchant identity reloaded", metadata: ["certificates": "\(identities.all.count)"])
        } catch {
            status.note(.merchantIdentity, succeeded: false)
            logger.error("merchant identity not reloaded; the old one stays in use", metadata: ["reason": "\(error)"])
        }
    }

    private func reload(_ files: ProcessingCertificateFiles) {
        do throws(ConfigurationError) {
            let count = try files.reload()
            status.note(.processingCertificates, succeeded: true)
            logger.notice("payment processing certificates reloaded", metadata: ["certificates": "\(count)"])
        } catch {
            status.note(.processingCertificates, succeeded: false)
            logger.error(
                "payment processing certificates not reloaded; the old ones stay in use",
                metadata: ["reason": "\(error.line)"])
        }
    }
}
