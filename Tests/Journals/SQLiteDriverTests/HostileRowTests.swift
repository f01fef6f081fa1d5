import Foundation
import JournalContract
import SQLJournal
import SQLiteDriver
import Synchronization
import TestPrograms
import Testing

@testable import PaymentRelay

/// S6: the payment of a row that no version of this code wrote is set aside. The row stops neither the process nor other
/// payments.
@Suite struct HostileRowTests {
    @Test("S6: a row that no version of this code wrote is set aside", arguments: HostileRow.all { "x'\($0)'" })
    func setsAnUnreadableRowAside(row: HostileRow) async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("journal.sqlite")
        let observed = Mutex(0)
        let journal = try SQLJournal(path: path) { _ in observed.withLock { $0 += 1 } }
        try await row.check(journal, observed: { observed.withLock { $0 } }) { assignment in
            try SQLiteConnection(path: path).run(
                script: "UPDATE payment SET \(assignment) WHERE merchant_reference = 'bad'")
        }
    }

    @Test("S6: a movement that no version of this code wrote is left out of the books", arguments: HostileMovement.all)
    func leavesAnUnreadableMovementOut(movement: HostileMovement) async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("journal.sqlite")
        let observed = Mutex(0)
        let journal = try SQLJournal(path: path) { _ in observed.withLock { $0 += 1 } }
        try await movement.check(journal, observed: { observed.withLock { $0 } }) { assignment in
            try SQLiteConnection(path: path).run(
                script: "UPDATE movement SET \(assignment) WHERE merchant_reference IN ('bad', 'worse')")
        }
    }

    @Test(
        "S6: a source, a query or an attempt that no version of this code wrote hides nothing",
        arguments: HostileDetail.all)
    func leavesAnUnreadableDetailOut(detail: HostileDetail) async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("journal.sqlite")
        try await detail.check(try SQLJournal(path: path)) { sql in
            try SQLiteConnection(path: path).run(script: sql)
        }
    }

    @Test("S6: a hint that no version of this code wrote is deleted, and stops no other", arguments: HostileHint.all)
    func deletesAnUnreadableHint(hint: HostileHint) async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("journal.sqlite")
        try await hint.check(try SQLJournal(path: path)) { assignment in
            try SQLiteConnection(path: path).run(
                script: "UPDATE work SET \(assignment) WHERE merchant_reference = 'bad'")
        }
    }

    @Test("S6: a million attempts in the journal are read as the newest few")
    func readsTheNewestOfAMillionAttempts() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("journal.sqlite")
        let journal = try SQLJournal(path: path)
        _ = try await journal.claim(.sample("A", token: 1))
        let entry = HistoryEntry(at: .wholeSecond, state: .captured, event: [1])
        _ = try await journal.transition("A", from: .processing, receipt: nil, because: entry)
        try SQLiteConnection(path: path).run(
            script: """
                WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n LIMIT 1000000)
                INSERT INTO event_delivery SELECT
                    'A', 2, n, 1, 1, 'refused', 'e', 500, NULL, 1, NULL, NULL FROM n
                """)
        let attempts = try #require(try await journal.eventProgress(of: "A")?.attempts[2])
        #expect(attempts.count == 1_000_000 && attempts.newest.count == DeliveryAttempt.kept)
        let due = try #require(
            try await journal.lease(DueEvent.self, of: nil, limit: 1, at: .wholeSecond, until: .wholeSecond + 9).first)
        try await journal.postpone(
            due, until: nil,
            after: DeliveryAttempt(at: .wholeSecond, result: .refused, endpoint: "e", status: 500, milliseconds: 1))
        let left = try SQLiteConnection(path: path).run("SELECT 1 FROM event_delivery", []).rows.count
        #expect(left == DeliveryAttempt.kept)
    }

    /// There are more unreadable rows than one page holds.
    @Test("S6: unreadable rows stop the erasure of no other") func erasesCustomerDataDespiteUnreadableRows()
        async throws
    {
        let folder = try TemporaryFolder()
        let path = folder.path("journal.sqlite")
        let journal = try SQLJournal(path: path)
        for number in 100..<253 {
            let reference = "\(number)"
            _ = try await journal.claim(.sample(reference, token: number))
            _ = try await journal.transition(
                reference, from: .processing, receipt: Array("{}".utf8),
                because: HistoryEntry(at: .wholeSecond, state: .declined))
        }
        try SQLiteConnection(path: path).run(
            script: """
                UPDATE payment SET amount = -1 WHERE merchant_reference < '200';
                UPDATE payment SET claimed_at = -7 WHERE merchant_reference = '200';
                UPDATE history SET at = 9223372036854775807 WHERE merchant_reference = '201';
                """)
        #expect(
            try await journal.eraseCustomerData(claimedBefore: .wholeSecond + 60, at: .wholeSecond, knowing: .sample)
                == 51)
    }

    @Test("S6: a reference that is not UTF-8 stops no list") func goesOnAfterAnUnreadableReference() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("journal.sqlite")
        let journal = try SQLJournal(path: path)
        for (number, reference) in ["bad", "good"].enumerated() {
            _ = try await journal.claim(.sample(reference, token: number, at: .wholeSecond + Double(number)))
            _ = try await journal.transition(
                reference, from: .processing, receipt: Array("{}".utf8),
                because: HistoryEntry(at: .wholeSecond, state: .declined))
        }
        try SQLiteConnection(path: path).run(
            script: "UPDATE payment SET merchant_reference = CAST(x'ff' AS TEXT) WHERE merchant_reference = 'bad'")
        let list = PaymentList.holdingCustomerData(claimedBefore: .wholeSecond + 60)
        let first = try #require(try await journal.list(list, after: nil, limit: 1).first)
        let second = try #require(try await journal.list(list, after: first, limit: 1).first)
        // If the list returned the first payment again, the erasure below would not end.
        try #require(second.merchantReference == "good")
        for (moment, count) in [(0.5, 0), (60, 1)] {
            let erased = try await journal.eraseCustomerData(
                claimedBefore: .wholeSecond + moment, at: .wholeSecond, knowing: .sample)
            #expect(erased == count)
        }
    }

    @Test("S6: an event with an impossible time stops no other from being resent")
    func listsEventsDespiteAnImpossibleTime() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("journal.sqlite")
        let journal = try SQLJournal(path: path)
        for reference in ["A", "B", "C"] {
            _ = try await journal.claim(.sample(reference, token: Int(reference.utf8.first ?? 0)))
            _ = try await journal.transition(
                reference, from: .processing, receipt: Array("{}".utf8),
                because: HistoryEntry(at: .wholeSecond, state: .declined, event: Array("{}".utf8)))
        }
        try SQLiteConnection(path: path).run(
            script: "UPDATE history SET at = 9223372036854775807 WHERE merchant_reference = 'B' AND event IS NOT NULL")
        let listed = try await journal.list(.withEvents(since: .wholeSecond - 60), after: nil, limit: 9)
        #expect(listed.map(\.merchantReference) == ["A", "C"])
    }

    @Test(
        "S6: a certificate's row that no version of this code wrote is left out",
        arguments: [
            "('', 20000)", "('AAAA', 20000)", "('not base64', 20000)", "('\(hash)', -1)", "('\(hash)', \(Int.max))",
        ])
    func leavesAnUnreadableCertificateOut(row: String) async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("journal.sqlite")
        let journal = try SQLJournal(path: path)
        try SQLiteConnection(path: path).run(script: "INSERT INTO processing_certificate VALUES \(row)")
        #expect(try await journal.certificateUse() == [])
    }

    private static let hash = String(repeating: "A", count: 43) + "="
}
