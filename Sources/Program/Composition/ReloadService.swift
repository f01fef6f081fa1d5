import Logging
import RelayServer
import Settings
import ServiceLifecycle
import UnixSignals

/// Something that was read from files and can be read again.
struct Reloadable: Sendable {
    let part: ReloadStatus.Part
    /// As log lines name it.
    let name: String
    /// Reads the files. Where it throws, what was read before stays in use.
    ///
    /// - Returns: what the log line says of it.
    let reload: @Sendable () throws -> Logger.Metadata
}

/// Reads certificates and keys again on SIGHUP. What cannot be used is logged and counted, and the present one stays in use.
struct ReloadService: Service, CustomStringConvertible {
    /// Without what it holds: a log of the process's services, which is written at `debug`, must not spell keys out.
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
                "\(part.name) not reloaded; what was read before stays in use", metadata: ["reason": "\(reason)"])
        }
    }
}
