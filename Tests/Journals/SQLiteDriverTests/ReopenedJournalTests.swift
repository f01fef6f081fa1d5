import Foundation
import JournalContract
import PaymentRelay
import SQLJournal
import TestPrograms
import Testing

@testable import SQLiteDriver

/// The state that a journal keeps from the process that had it open before.
@Suite struct ReopenedJournalTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path("journal.sqlite") }

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test("R5: written rows are there after the journal is opened again") func keepsWhatWasWrittenAfterReopening()
        async throws
    {
        let claim = Change.sample("A", token: 1)
        do {
            _ = try await SQLJournal(path: path).claim(claim)
        }
        let reopened = try openAgain(path)
        var expected = claim.after
        expected.lease = Lease(number: 0, expiresAt: Date(timeIntervalSince1970: 0))
        #expect(try await reopened.payment("A") == expected)
        #expect(try await reopened.openPayments(limit: 1).count == 1)
    }

    @Test("R5: leases of an earlier process end when the journal is opened again")
    func freesTheLeasesOfAnEarlierProcess() async throws {
        do {
            _ = try await SQLJournal(path: path).claim(.sample("A", token: 1, leasedFor: .seconds(60)))
        }
        let reopened = try openAgain(path)
        let leased = try await reopened.lease(Payment.self, limit: 1, at: .wholeSecond + 1, until: .wholeSecond + 60)
        #expect(leased.map(\.merchantReference) == ["A"])
    }

    @Test("R5: after the clock was set back, open and waiting work is due when the journal is opened again")
    func makesDueWhatIsOfATimeToCome() async throws {
        let future = Date() + 31_536_000
        do {
            let journal = try SQLJournal(path: path)
            for (number, reference) in ["A", "B", "C"].enumerated() {
                let moment = future - Double(number)
                _ = try await journal.claim(.sample(reference, token: number, at: moment, leasedFor: .seconds(60)))
            }
            let entry = HistoryEntry(at: future, state: .captured, event: [1])
            #expect(try await journal.transition("A", from: .processing, receipt: nil, because: entry))
        }
        let reopened = try openAgain(path)
        let now = Date()
        // The payment that has been open longest comes first.
        for reference in ["C", "B"] {
            let leased = try await reopened.lease(Payment.self, limit: 1, at: now, until: now + 60)
            #expect(leased.map(\.merchantReference) == [reference])
        }
        let due = try await reopened.lease(DueEvent.self, of: nil, limit: 9, at: now, until: now + 60)
        #expect(due.map(\.merchantReference) == ["A"])
    }

    private func openAgain(_ path: String) throws -> SQLJournal {
        try waitUntilClosed(journal: path)
        return try SQLJournal(path: path)
    }

    @Test("R5: an event that an earlier process was sending is due again") func makesEventsOfAnEarlierProcessDueAgain()
        async throws
    {
        do {
            let journal = try SQLJournal(path: path)
            _ = try await journal.claim(.sample("A", token: 1))
            let entry = HistoryEntry(at: .wholeSecond, state: .captured, event: [1])
            _ = try await journal.transition("A", from: .processing, receipt: nil, because: entry)
            _ = try await journal.lease(DueEvent.self, of: nil, limit: 1, at: .wholeSecond, until: .wholeSecond + 60)
        }
        let due = try await openAgain(path)
            .lease(DueEvent.self, of: nil, limit: 1, at: .wholeSecond, until: .wholeSecond + 60)
        #expect(due.map(\.attempt) == [2])
    }
}
