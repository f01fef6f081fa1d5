import Foundation
import GRDB
import JournalContract
import PaymentRelay
import TestPrograms
import Testing

@testable import SQLiteJournal

/// What payments are looked up by stands beside the history's entries first, and is moved to a table in its own order.
@Suite struct SearchKeysTests {
    private let folder: TemporaryFolder
    private let journal: SQLiteJournal
    private var path: String { folder.path("journal.sqlite") }

    init() throws {
        folder = try TemporaryFolder()
        journal = try SQLiteJournal(path: folder.path("journal.sqlite"))
    }

    private func add(_ numbers: Range<Int>) async throws {
        for number in numbers {
            try await journal.add(
                "P-\(number)", token: number, at: .wholeSecond + Double(number),
                keys: [.customerEmail("customer\(number)@example.com"), .appleTransactionIdentifier("\(number)")],
                settledWith: [.fortIdentifier("\(number)"), .cardLastFour("\(1_000 + number % 7)")])
        }
    }

    private func found(_ keys: SearchKey...) async throws -> [String] {
        var query = PaymentQuery()
        query.keys = keys
        return try await journal.all(query, limit: 7)
    }

    private func counts() async throws -> (moved: Int, position: Int) {
        try await DatabaseQueue(path: path).read { database in
            (
                try Int.fetchOne(database, sql: "SELECT count(*) FROM search_key") ?? 0,
                try Int.fetchOne(database, sql: "SELECT entry FROM search_position") ?? 0
            )
        }
    }

    @Test("A payment is found at once, and after its keys are moved")
    func findsBeforeAndAfterMoving() async throws {
        try await add(0..<4)
        #expect(try await counts().moved == 0)
        #expect(try await found(.customerEmail("customer2@example.com")) == ["P-2"])
        try await add(4..<600)
        let (moved, position) = try await counts()
        // 1,200 entries with two keys each were written; fewer than 1,024 are still new.
        #expect(moved == 2 * position && (177...1_200).contains(position))
        for number in [0, 3, 255, 256, 257, 511, 512, 599] {
            #expect(try await found(.customerEmail("customer\(number)@example.com")) == ["P-\(number)"])
            #expect(try await found(.fortIdentifier("\(number)")) == ["P-\(number)"])
            #expect(
                try await found(.cardLastFour("\(1_000 + number % 7)"), .fortIdentifier("\(number)")) == ["P-\(number)"]
            )
        }
        let cards = (0..<600).filter { $0 % 7 == 3 }.reversed().map { "P-\($0)" }
        #expect(try await found(.cardLastFour("1003")) == cards)
    }

    @Test("Erased customer data is found neither by moved keys nor by new ones")
    func erasesMovedAndNewKeys() async throws {
        try await add(0..<600)
        for number in [1, 599] {
            #expect(try await journal.eraseCustomerData(of: "P-\(number)", at: .wholeSecond + 9_999))
        }
        // What was new is moved now.
        try await add(600..<1_200)
        for number in [1, 599] {
            #expect(try await found(.customerEmail("customer\(number)@example.com")) == [])
            #expect(try await !found(.cardLastFour("\(1_000 + number % 7)")).contains("P-\(number)"))
            #expect(try await found(.fortIdentifier("\(number)")) == ["P-\(number)"])
        }
        let left = try await DatabaseQueue(path: path).read { database in
            try Data.fetchAll(
                database,
                sql:
                    "SELECT search_keys FROM history WHERE search_keys IS NOT NULL AND merchant_reference IN ('P-1', 'P-599')"
            )
        }
        #expect(left.flatMap { SearchKey.read(Array($0)) }.allSatisfy { !$0.isCustomers })
    }

    @Test("S6: rows that no payrelay wrote keep no others from being moved")
    func movesDespiteHostileRows() async throws {
        try await add(0..<10)
        try await DatabaseQueue(path: path).write { database in
            try database.execute(
                sql: """
                    PRAGMA foreign_keys = OFF;
                    UPDATE history SET search_keys = x'ff00' WHERE merchant_reference = 'P-1';
                    UPDATE history SET search_keys = zeroblob(100000) WHERE merchant_reference = 'P-2';
                    UPDATE payment SET claimed_at = -7 WHERE merchant_reference = 'P-3';
                    """)
        }
        try await add(10..<600)
        #expect(try await counts().position > 600)
        #expect(try await found(.customerEmail("customer4@example.com")) == ["P-4"])
        #expect(try await found(.customerEmail("customer1@example.com")) == [])
    }
}
