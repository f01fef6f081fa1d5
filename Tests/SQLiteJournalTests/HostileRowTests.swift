import GRDB
import JournalContract
import SQLiteJournal
import Synchronization
import TestPrograms
import Testing

/// S6: a row that no version of this code wrote sets its payment aside, and stops neither the process nor the others.
@Suite struct HostileRowTests {
    @Test(arguments: HostileRow.all { "x'\($0)'" })
    func aRowThatMakesNoSenseIsSetAside(row: HostileRow) async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("journal.sqlite")
        let observed = Mutex(0)
        let journal = try SQLiteJournal(path: path) { _ in observed.withLock { $0 += 1 } }
        try await row.check(journal, observed: { observed.withLock { $0 } }) { assignment in
            try await DatabaseQueue(path: path).write {
                try $0.execute(sql: "UPDATE payment SET \(assignment) WHERE merchant_reference = 'bad'")
            }
        }
    }
}
