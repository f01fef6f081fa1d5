import Logging
import ServiceLifecycle
import UnixSignals

/// Reads the public listener's certificate anew on SIGHUP, as whoever renews it tells.
struct CertificateReloadService: Service {
    let certificate: ListenerCertificate
    let logger: Logger

    func run() async throws {
        for await _ in await UnixSignalsSequence(trapping: .sighup).cancelOnGracefulShutdown() {
            do throws(TLSFilesFault) {
                try certificate.reload()
                logger.notice("the certificate was read anew")
            } catch {
                logger.error("the certificate stays as it was", metadata: ["reason": "\(error)"])
            }
        }
    }
}
