import Foundation
import JournalContract
import PaymentRelay
import SQLJournal
import TestPrograms
import Testing

@testable import SQLiteDriver

/// Writes that fail beside writes that succeed.
@Suite struct FailedWriteTests {
    private let folder: TemporaryFolder
    private let driver: SQLiteDriver
    private let journal: SQLJournal

    init() throws {
        folder = try TemporaryFolder()
        driver = try SQLiteDriver(path: folder.path("journal.sqlite"))
        journal = SQLJournal(driver)
    }

    /// The claim fails after the payment's row was written.
    @Test("a claim that fails half way leaves nothing, and takes none with it that shares its commit")
    func undoesAClaimThatFailsHalfWay() async throws {
        let failures = await withTaskGroup { group in
            for number in 0..<300 {
                let claim = Change.sample("\(number)", token: number, key: "\(number)")
                let entry = HistoryEntry(at: .wholeSecond, state: .processing, requestIdentifier: "r\0s")
                let strange = Change(
                    claiming: claim.after, token: claim.claimed?.token, idempotencyKey: claim.claimed?.idempotencyKey,
                    because: entry)
                group.addTask {
                    do {
                        return try await journal.claim(number.isMultiple(of: 3) ? strange : claim) != .written
                    } catch {
                        return number.isMultiple(of: 3)
                    }
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(failures == 100)
        for number in 0..<300 {
            let isWritten = !number.isMultiple(of: 3)
            #expect(try await (journal.payment("\(number)") != nil) == isWritten)
            #expect(try await journal.history(of: "\(number)").count == (isWritten ? 1 : 0))
        }
        #expect(try await journal.claim(.sample("0", token: 0, key: "0")) == .written)
    }

    /// In this case SQLite ends the transaction by itself.
    @Test("while the disk is full a write fails and leaves nothing, and later writes succeed")
    func failsWhileTheDiskIsFull() async throws {
        let known = Change.sample("known", token: 0)
        _ = try await journal.claim(known)
        let rows = try await driver.write(Statement(nil, "PRAGMA page_count"), []).rows
        let pages = try #require(rows.first).integer("page_count")
        _ = try await driver.write(Statement(nil, "PRAGMA max_page_count = \(pages + 1)"), [])
        let receipt = [UInt8](repeating: 1, count: 100_000)
        let captured = HistoryEntry(at: .wholeSecond, state: .captured)
        for round in 1...3 {
            let error = await #expect(throws: JournalError.self) {
                try await journal.transition(known.after, receipt: receipt, because: captured)
            }
            guard case .unavailable(let reason) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(reason.contains("database or disk is full"))
            // A write that needs no more space still succeeds, by itself and beside the failing write.
            async let settled = try? journal.transition(known.after, receipt: receipt, because: captured)
            async let claimed = journal.claim(.sample("small \(round)", token: round))
            #expect(await settled == nil)
            #expect(try await claimed == .written)
        }
        #expect(try await journal.payment("known") == known.after)
        #expect(try await journal.history(of: "known").count == 1)
        _ = try await driver.write(Statement(nil, "PRAGMA max_page_count = 1000000"), [])
        #expect(try await journal.transition(known.after, receipt: receipt, because: captured))
        #expect(try await journal.payment("known")?.receipt == receipt)
    }

    @Test func keepsALongReferenceAndKey() async throws {
        let long = String(repeating: "é🙂", count: 200_000)
        let claim = Change.sample(long, token: 1, key: long)
        #expect(try await journal.claim(claim) == .written)
        #expect(try await journal.payment(long) == claim.after)
        #expect(try await journal.claim(.sample("B", token: 2, key: long)) == .keyTaken)
        #expect(try await journal.claim(.sample(long, token: 2)) == .referenceTaken(claim.after))
    }

    /// Each journal knows the other's claims, although both have their own prepared statements.
    @Test func claimsThroughAJournalThatIsAttached() async throws {
        let visitor = try SQLJournal(attachingTo: folder.path("journal.sqlite"))
        #expect(try await visitor.claim(.sample("A", token: 1)) == .written)
        #expect(try await journal.claim(.sample("B", token: 1)) == .tokenTaken)
        #expect(try await journal.claim(.sample("B", token: 2)) == .written)
        #expect(try await visitor.claim(.sample("C", token: 2)) == .tokenTaken)
    }
}
