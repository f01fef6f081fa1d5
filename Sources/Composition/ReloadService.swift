import AccessControl
import HTTPListener
import Logging
import ServiceLifecycle
import UnixSignals

/// Reads the certificates and the keys again on SIGHUP. What cannot be used is logged, and the present one stays in use.
struct ReloadService: Service, CustomStringConvertible {
    /// Without what it holds: a log of the process's services, which is written at `debug`, must not spell keys out.
    var description: String { "ReloadService" }

    let certificates: [ListenerCertificate]
    let access: ReloadableAccess?
    /// Nil where none are configured.
    let operators: (policy: OperatorPolicy, present: ReloadableOperators)?
    let logger: Logger

    func run() async throws {
        for await _ in await UnixSignalsSequence(trapping: .sighup).cancelOnGracefulShutdown() {
            for certificate in certificates { reload(certificate) }
            if let access { reload(access) }
            if let operators { reload(operators.present, by: operators.policy) }
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

    private func reload(_ operators: ReloadableOperators, by policy: OperatorPolicy) {
        do throws(ConfigurationError) {
            let new = try policy.readAgain()
            operators.replace(with: new)
            logger.notice("operators reloaded", metadata: ["operators": "\(new.entries.count)"])
        } catch {
            logger.error(
                "operators not reloaded; the old ones stay in use",
                metadata: ["reason": "\(error.errors.joined(separator: "; "))"])
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
