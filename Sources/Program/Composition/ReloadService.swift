import Logging
import RelayServer
import ServiceLifecycle
import Settings
import UnixSignals

/// A part of the service that was read from files and can be read again.
struct Reloadable: Sendable {
    let part: ReloadStatus.Part
    /// The name in log lines.
    let name: String
    /// Reads the files. If it throws, the version that was read before stays in use.
    ///
    /// - Returns: metadata for the log line.
    let reload: @Sendable () throws -> Logger.Metadata
}

/// A service that reads certificates and keys again on SIGHUP. A part that cannot be used is logged and counted,
/// and its current version stays in use.
struct ReloadService: Service, CustomStringConvertible {
    /// Leaves out the parts, because services are logged at `debug` and keys must not be logged.
    var description: String { "ReloadService" }

    let status: ReloadStatus
    private let parts: [Reloadable]
    private let logger: Logger

    init(_ parts: [Reloadable], logger: Logger) {
        self.parts = parts
        self.logger = logger
        status = ReloadStatus(parts.map(\.part))
    }

    func run() async throws {
        for await _ in await UnixSignalsSequence(trapping: .sighup).cancelOnGracefulShutdown() {
            for part in parts { reload(part) }
            if parts.isEmpty { logger.notice("SIGHUP changes nothing: there are no files to read again") }
        }
    }

    private func reload(_ part: Reloadable) {
        do {
            let found = try part.reload()
            status.note(part.part, succeeded: true)
            logger.notice("\(part.name) reloaded", metadata: found)
        } catch {
            status.note(part.part, succeeded: false)
            let reason = (error as? ConfigurationError)?.line ?? "\(error)"
            logger.error(
                "\(part.name) not reloaded; the previous version stays in use", metadata: ["reason": "\(reason)"])
        }
    }
}
