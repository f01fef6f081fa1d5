import Logging
import ServiceLifecycle
import UnixSignals

/// Reads files anew on SIGHUP, as whoever has changed them tells. What cannot be used is left, and what is wrong with it logged.
struct ReloadService: Service {
    let certificate: ListenerCertificate?
    let credentials: Credentials?
    let logger: Logger

    func run() async throws {
        for await _ in await UnixSignalsSequence(trapping: .sighup).cancelOnGracefulShutdown() {
            if let certificate { reload(certificate) }
            if let credentials { reload(credentials) }
        }
    }

    private func reload(_ certificate: ListenerCertificate) {
        do throws(TLSFilesFault) {
            try certificate.reload()
            logger.notice("the certificate was read anew")
        } catch {
            logger.error("the certificate stays as it was", metadata: ["reason": "\(error)"])
        }
    }

    private func reload(_ credentials: Credentials) {
        do throws(ConfigurationFaults) {
            let count = try credentials.reload()
            logger.notice(
                "the callers' keys were read anew",
                metadata: ["api_keys": "\(count.apiKeys)", "jwt_keys": "\(count.tokenKeys)"])
        } catch {
            logger.error(
                "the callers' keys stay as they were",
                metadata: ["reason": "\(error.faults.joined(separator: "; "))"])
        }
    }
}
