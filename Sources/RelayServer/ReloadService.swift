import Logging
import ServiceLifecycle
import UnixSignals

/// Reads files anew on SIGHUP, as whoever has changed them tells. What cannot be used is left, and what is wrong with it logged.
struct ReloadService: Service {
    let certificate: ListenerCertificate?
    let authenticator: ReloadableAuthenticator?
    let logger: Logger

    func run() async throws {
        for await _ in await UnixSignalsSequence(trapping: .sighup).cancelOnGracefulShutdown() {
            if let certificate { reload(certificate) }
            if let authenticator { reload(authenticator) }
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

    private func reload(_ authenticator: ReloadableAuthenticator) {
        do throws(ConfigurationError) {
            let count = try authenticator.reload()
            logger.notice(
                "API and JWT keys reloaded",
                metadata: ["api_keys": "\(count.apiKeys)", "jwt_keys": "\(count.tokenKeys)"])
        } catch {
            logger.error(
                "API and JWT keys not reloaded; the old ones stay in use",
                metadata: ["reason": "\(error.faults.joined(separator: "; "))"])
        }
    }
}
