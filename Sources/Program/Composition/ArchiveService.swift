import FoundationEssentials
import Logging
import PaymentRelay
import PayrelayPrimitives
import SQLJournal
import ServiceLifecycle

/// A service that moves payments that are no longer needed to the archive, at the start and once a day.
struct ArchiveService: Service {
    let archive: PaymentArchive
    let journal: SQLJournal
    /// The minimum time since the last change of a payment.
    let age: Duration
    let logger: Logger

    private static let interval = Duration.seconds(86_400)

    func run() async {
        await cancelWhenGracefulShutdown {
            repeat { await takeOver() } while (try? await Task.sleep(for: Self.interval)) != nil
        }
    }

    private func takeOver() async {
        do {
            let done = try await archive.takeOver(from: journal, before: Date() - age)
            guard done.moved > 0 else { return }
            let months = done.months.sorted().map(\.description).joined(separator: ", ")
            logger.info("payments archived", metadata: ["payments": "\(done.moved)", "months": "\(months)"])
        } catch {
            logger.error("payments could not be archived; none is lost", metadata: ["error": "\(error)"])
        }
    }
}
