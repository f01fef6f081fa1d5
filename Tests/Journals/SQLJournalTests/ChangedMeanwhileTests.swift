import Foundation
import JournalContract
import PaymentRelay
import PayrelayPrimitives
import SQLiteDriver
import Testing

@testable import SQLJournal

/// Changes by another instance between two statements of one call.
@Suite struct ChangedMeanwhileTests {
    /// A database in which a change happens right after a statement.
    private struct Interrupted: Driver {
        let database: SQLiteDriver
        /// The statement's name, or `nil` for every statement without a name.
        let name: String?
        /// The number of rows per page, or `nil` for the database's own number.
        let rowsPerPage: Int?
        let happens: @Sendable () async throws(JournalError) -> Void

        var dialect: Dialect {
            let own = database.dialect
            return Dialect(
                namesIndexes: own.namesIndexes, replacements: own.replacements,
                rowsPerPage: rowsPerPage ?? own.rowsPerPage, integrityCheck: own.integrityCheck,
                tableNames: own.tableNames, columnNames: own.columnNames, tableSizes: own.tableSizes,
                freeBytes: own.freeBytes)
        }

        func read(_ statement: Statement, _ values: [Value]) async throws(JournalError) -> [Row] {
            let rows = try await database.read(statement, values)
            if statement.name == name { try await happens() }
            return rows
        }

        func write(_ statement: Statement, _ values: [Value]) async throws(JournalError) -> Answer {
            let answer = try await database.write(statement, values)
            if statement.name == name { try await happens() }
            return answer
        }

        func checkDurability(
            rehearsing claim: Statement, _ values: [Value]
        ) async throws(JournalError) -> [DurabilityGap] {
            try await database.checkDurability(rehearsing: claim, values)
        }

        func purgeFiles() async throws(JournalError) { try await database.purgeFiles() }
    }

    private let database: SQLiteDriver
    private let other: SQLJournal

    init() throws {
        database = try SQLiteDriver.inMemory()
        other = SQLJournal(database)
    }

    private func journal(
        after name: String?, rowsPerPage: Int? = nil,
        _ happens: @escaping @Sendable () async throws(JournalError) -> Void
    ) -> SQLJournal {
        SQLJournal(Interrupted(database: database, name: name, rowsPerPage: rowsPerPage, happens: happens))
    }

    @Test("a leased payment is as it is once its lease is there, with its answer")
    func leasesAPaymentAsItIs() async throws {
        _ = try await other.claim(.sample("A", token: 1))
        let journal = journal(after: "lease_query") { [other] () async throws(JournalError) in
            let entry = HistoryEntry(at: .wholeSecond, state: .uncertain)
            _ = try await other.transition("A", from: .processing, receipt: [1], because: entry)
        }
        let leased = try await journal.lease(Payment.self, limit: 9, at: .wholeSecond, until: .wholeSecond + 60)
        #expect(leased.map(\.receipt) == [[1]])
        #expect(leased.map(\.lease) == [Lease(number: 1, expiresAt: .wholeSecond + 60)])
    }

    @Test("a payment that is settled or another instance's by then is not leased")
    func leasesNothingThatIsAnothers() async throws {
        for reference in ["A", "B"] { _ = try await other.claim(.sample(reference, token: reference == "A" ? 1 : 2)) }
        let journal = journal(after: "lease_query") { [other] () async throws(JournalError) in
            let entry = HistoryEntry(at: .wholeSecond, state: .captured)
            _ = try await other.transition("A", from: .processing, receipt: [1], because: entry)
            _ = try await other.lease(Payment.self, limit: 9, at: .wholeSecond + 60, until: .wholeSecond + 120)
        }
        #expect(try await journal.lease(Payment.self, limit: 9, at: .wholeSecond, until: .wholeSecond + 60) == [])
        #expect(try await other.payment("B")?.lease == Lease(number: 2, expiresAt: .wholeSecond + 120))
    }

    @Test("no payment is left out between two pages of a search, whatever leaves the list meanwhile")
    func findsEachPaymentOfASearch() async throws {
        for (number, reference) in ["A", "B", "C", "D"].enumerated() {
            let moment = Date.wholeSecond + Double(number)
            _ = try await other.claim(.sample(reference, token: number, at: moment, account: reference))
            let entry = HistoryEntry(at: moment, state: .uncertain)
            #expect(try await other.transition(reference, from: .processing, receipt: nil, because: entry))
        }
        let journal = journal(after: nil, rowsPerPage: 2) { [other] () async throws(JournalError) in
            let entry = HistoryEntry(at: .wholeSecond, state: .captured)
            _ = try await other.transition("D", from: .uncertain, receipt: nil, because: entry)
        }
        var query = PaymentQuery()
        (query.outcome, query.account) = (.uncertain, "B")
        var found: [String] = []
        repeat {
            let page = try await journal.search(query)
            found += page.payments.map(\.merchantReference)
            query.after = page.next
        } while query.after != nil
        #expect(found == ["B"])
    }

    @Test("no change is left out between two pages, whatever leaves the list meanwhile")
    func findsEachChange() async throws {
        for (number, reference) in ["A", "B", "C", "D"].enumerated() {
            let moment = Date.wholeSecond + Double(number)
            _ = try await other.claim(.sample(reference, token: number, at: moment, account: reference))
        }
        let journal = journal(after: nil, rowsPerPage: 2) { [database] () async throws(JournalError) in
            _ = try await database.write(Statement(nil, "DELETE FROM history WHERE merchant_reference = 'D'"), [])
        }
        var query = ChangeQuery()
        query.account = "B"
        var found: [String] = []
        repeat {
            let page = try await journal.changes(query)
            found += page.changes.map(\.merchantReference)
            query.after = page.next
        } while query.after != nil
        #expect(found == ["B"])
    }

    @Test("a payment that is archived while its reference is claimed keeps it")
    func reclaimsNothingThatIsArchived() async throws {
        let balance = Balance(captured: 500)
        let elsewhere = Payment(
            merchantReference: "E", command: .purchase, amount: 500, currency: "KWD", fingerprint: nil,
            appleTransactionIdentifier: nil, claimedAt: .wholeSecond, gateway: "fort", account: "kwd",
            state: .captured, balance: balance)
        let entry = HistoryEntry(at: .wholeSecond, state: .captured, balance: balance)
        #expect(try await other.record(elsewhere, because: entry))
        let journal = journal(after: "claim_holders") { [database] () async throws(JournalError) in
            _ = try await database.write(Statement(nil, "UPDATE payment SET archived = version"), [])
        }
        let result = try await journal.claim(.sample("E", token: 1, account: "aed"))
        let archived = try #require(try await other.payment("E"))
        #expect(archived.isMadeElsewhere && result == .referenceTaken(archived))
    }
}
