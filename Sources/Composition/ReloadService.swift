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

    let certificate: ListenerCertificate?
    let access: ReloadableAccess?
    let identities: MerchantIdentities?
    /// Nil where none is configured.
    let processingCertificates: ProcessingCertificateFiles?
    let status: ReloadStatus
    let logger: Logger

    init(
        certificate: ListenerCertificate?, access: ReloadableAccess?, identities: MerchantIdentities?,
        processingCertificates files: ProcessingCertificateFiles, logger: Logger
    ) {
        self.certificate = certificate
        self.access = access
        self.identities = identities
        processingCertificates = files.isEmpty ? nil : files
        self.logger = logger
        let parts: [(ReloadStatus.Part, Bool)] = [
            (.listenerCertificate, certificate != nil), (.accessKeys, access != nil),
            (.merchantIdentity, identities != nil), (.processingCertificates, !files.isEmpty),
        ]
        status = ReloadStatus(parts.filter(\.1).map(\.0))
    }

    /// Whether there is anything to read again.
    var hasWork: Bool {
        certificate != nil || access != nil || identities != nil || processingCertificates != nil
    }

    func run() async throws {
        for await _ in await UnixSignalsSequence(trapping: .sighup).cancelOnGracefulShutdown() {
            if let certificate { reload(certificate) }
            if let access { reload(access) }
            if let identities { reload(identities) }
            if let processingCertificates { reload(processingCertificates) }
        }
    }

    private func reload(_ certificate: ListenerCertificate) {
        do throws(TLSFilesError) {
            try certificate.reload()
            status.note(.listenerCertificate, succeeded: true)
            logger.notice("TLS certificate reloaded")
        } catch {
            status.note(.listenerCertificate, succeeded: false)
            logger.error("TLS certificate not reloaded; the old one stays in use", metadata: ["reason": "\(error)"])
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
                metadata: ["reason": "\(error.errors.joined(separator: "; "))"])
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
                metadata: ["reason": "\(error.errors.joined(separator: "; "))"])
        }
    }
}
