import Logging
import RelayServer
import SQLJournal

extension RelayConfiguration {
    /// Opens the journal. Its observers count, and log each record that is set aside.
    func openJournal(metrics: RelayMetrics, logger: Logger) async throws -> SQLJournal {
        let journal = try await self.journal.open { record in
            metrics.observeUnreadableRecord()
            logger.critical(
                "journal record unreadable; its payment is set aside",
                metadata: ["merchant_reference": "\(record.merchantReference)", "column": "\(record.column)"])
        } observe: { operation, duration, error in
            metrics.observe(operation, duration, failed: error != nil)
        }
        for path in self.journal.filesOpenToOthers {
            logger.warning("a file of the journal is open to more than its owner", metadata: ["path": "\(path)"])
        }
        return journal
    }
}
