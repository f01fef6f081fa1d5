import HTTPListener
import Logging
import ServiceLifecycle
import UnixSignals

/// Reads the certificate and the keys again on SIGHUP. What cannot be used is logged, and the present one stays in use.
struct ReloadService: Service {
    let certificate: ListenerCertificate?
    let access: ReloadableAccess?
    let logger: Logger

    func run() async throws {
        for await _ in await UnixSignalsSequence(trapping: .sighup).cancelOnGracefulShutdown() {
            if let certificate { reload(certificate) }
            if let access { reload(access) }
        }
    }

    private func reload(_ certificate: ListenerCertificate) {
        do throws(TLSFilesError) {
            try certificate.reload()
            logger.notice("TLS certificate reloaded")
        } catch {
            logger.error("TLS certificate not reloaded; the old one stays in use", metadata: ["reason": "\(error)"])
        }
    }

    private func reload(_ access: ReloadableAccess) {
        do throws(ConfigurationError) {
            let count = try access.reload()
            logger.notice(
                "API and JWT keys reloaded",
                metadata: ["api_keys": "\(count.apiKeys)", "jwt_keys": "\(count.tokenKeys)"])
        } catch {
            logger.error(
                "API and JWT keys not reloaded; the old ones stay in use",
                metadata: ["reason": "\(error.errors.joined(separator: "; "))"])
        }
    }
}
