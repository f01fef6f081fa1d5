import JournalContract
import PostgresDriver
import SQLJournal
import Synchronization
import TestPostgres
import Testing

/// S6: the payment of a row that no version of this code wrote is set aside. The row stops neither the process nor other
/// payments.
@Suite(.enabled(if: PostgresServer.isAvailable, "PostgreSQL's server programs are not installed"))
struct HostileRowTests {
    @Test(
        "S6: a row that no version of this code wrote is set aside", .timeLimit(.minutes(25)),
        arguments: HostileRow.all { "'\\x\($0)'::bytea" })
    func setsAnUnreadableRowAside(row: HostileRow) async throws {
        try await PostgresSchema.with { schema in
            let observed = Mutex(0)
            let journal = try await SQLJournal(url: schema.url, settings: .patient) { _ in
                observed.withLock { $0 += 1 }
            }
            try await row.check(journal, observed: { observed.withLock { $0 } }) { assignment in
                try schema.run("UPDATE payment SET \(assignment) WHERE merchant_reference = 'bad'")
            }
        }
    }

    @Test(
        "S6: a movement that no version of this code wrote is left out of the books", .timeLimit(.minutes(25)),
        arguments: HostileMovement.all)
    func leavesAnUnreadableMovementOut(movement: HostileMovement) async throws {
        try await PostgresSchema.with { schema in
            let observed = Mutex(0)
            let journal = try await SQLJournal(url: schema.url, settings: .patient) { _ in
                observed.withLock { $0 += 1 }
            }
            try await movement.check(journal, observed: { observed.withLock { $0 } }) { assignment in
                try schema.run("UPDATE movement SET \(assignment) WHERE merchant_reference IN ('bad', 'worse')")
            }
        }
    }

    @Test(
        "S6: a source, a query or an attempt that no version of this code wrote hides nothing",
        .timeLimit(.minutes(25)), arguments: HostileDetail.all)
    func leavesAnUnreadableDetailOut(detail: HostileDetail) async throws {
        try await PostgresSchema.with { schema in
            try await detail.check(try await SQLJournal(url: schema.url, settings: .patient)) { try schema.run($0) }
        }
    }

    @Test(
        "S6: a hint that no version of this code wrote is deleted, and stops no other", .timeLimit(.minutes(25)),
        arguments: HostileHint.all)
    func deletesAnUnreadableHint(hint: HostileHint) async throws {
        try await PostgresSchema.with { schema in
            try await hint.check(try await SQLJournal(url: schema.url, settings: .patient)) { assignment in
                try schema.run("UPDATE work SET \(assignment) WHERE merchant_reference = 'bad'")
            }
        }
    }
}
