import Foundation
import JournalContract
import PaymentRelay
import PayrelayPrimitives
import PostgresDriver
import SQLiteDriver
import Synchronization
import TestPostgres
import TestPrograms
import Testing

@testable import SQLJournal

/// An archived payment is complete in its month's file. The rows that stay refuse its reference and its token for ever.
@Suite(.timeLimit(.minutes(25))) struct JournalArchiveTests {
    enum Database: CaseIterable, CustomStringConvertible {
        case sqlite
        case postgres

        static var available: [Database] { PostgresServer.isAvailable ? allCases : [.sqlite] }

        var description: String { self == .sqlite ? "SQLite" : "PostgreSQL" }
    }

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// A moment in one of the two months of the payments, which have outcomes and are erased.
    private static let january = Date(timeIntervalSince1970: 1_767_300_000)
    private static let february = january + 31 * 86_400
    private static let later = february + 400 * 86_400

    @Test(
        "R1, R2, R13: an archived payment keeps its reference, its token and its key for ever",
        arguments: Database.available)
    func refusesWhatWasArchived(database: Database) async throws {
        let place = try Place(database, folder)
        let journal = try await place.journal()
        try await journal.settle("A", number: 1, at: Self.january)
        let before = try #require(try await journal.payment("A"))
        #expect(try await archive(journal) == 1)

        let payment = try #require(try await journal.payment("A"))
        #expect(payment.archiveMonth?.description == "2026-01")
        #expect(payment.fingerprint == before.fingerprint && payment.state == .captured)
        #expect(payment.balance == before.balance && payment.amount == before.amount)
        #expect(payment.receipt == nil && payment.operations.isEmpty)
        #expect(try await journal.history(of: "A").isEmpty)
        #expect(
            try await journal.claim(.sample("A", token: 1, key: "key 1", at: Self.later)) == .referenceTaken(payment))
        #expect(
            try await journal.claim(.sample("A", token: 9, key: "key 9", at: Self.later)) == .referenceTaken(payment))
        #expect(try await journal.claim(.sample("B", token: 1, at: Self.later)) == .tokenTaken)
        #expect(
            try await journal.claim(.sample("B", token: 9, key: "key 1", at: Self.later)) == .keyTaken)
        #expect(try await journal.use(ofKey: "refund 1")?.merchantReference == "A")
        #expect(
            try await journal.claim(.sample("B", token: 9, key: "refund 1", at: Self.later)) == .keyTaken)
        #expect(try await journal.claim(.sample("B", token: 9, key: "key 9", at: Self.later)) == .written)
    }

    @Test(
        "R5: journal and archive together have the journal's content, and both are in order",
        arguments: Database.available)
    func losesNothing(database: Database) async throws {
        let place = try Place(database, folder)
        let journal = try await place.journal()
        for number in 0..<9 {
            try await journal.settle(
                "P\(number)", number: number, at: number.isMultiple(of: 2) ? Self.january : Self.february)
        }
        try await journal.settle("new", number: 99, at: Self.later)
        let query = QueryWithoutChange(
            afterEntry: 4, requester: .reconciler, answer: .unchanged, reason: "r", first: Self.february,
            last: Self.february,
            times: 2)
        try await journal.record(query, of: "P1")
        var payments: [String: Payment] = [:]
        var histories: [String: [HistoryEntry]] = [:]
        for reference in (0..<9).map({ "P\($0)" }) {
            payments[reference] = try await journal.payment(reference)
            histories[reference] = try await journal.history(of: reference)
        }
        let settlement = try await journal.settlement(from: .distantPast, until: .distantFuture)
        let movements = try await journal.movements(
            until: .distantFuture, after: MovementCursor(start: .distantPast), limit: 100)

        #expect(try await archive(journal) == 9)
        #expect(try await archive(journal) == 0, "a second run finds nothing")

        #expect(try await journal.settlement(from: .distantPast, until: .distantFuture) == settlement)
        #expect(
            try await journal.movements(until: .distantFuture, after: MovementCursor(start: .distantPast), limit: 100)
                == movements)
        #expect(try await journal.payment("new")?.archivedVersion == nil)
        #expect(try await journal.history(of: "new").count == 4)
        for (reference, payment) in payments {
            let file = try SQLJournal(attachingTo: path(ArchiveMonth(of: payment.claimedAt)))
            #expect(try await file.payment(reference) == payment)
            #expect(try await file.history(of: reference).elementsEqual(histories[reference] ?? [], by: { $0 == $1 }))
            let kept = try #require(try await journal.payment(reference))
            #expect(kept.completed(by: payment).receipt == payment.receipt)
        }
        let february = try SQLJournal(attachingTo: path(ArchiveMonth(of: Self.february)))
        #expect(try await february.queriesWithoutChange(of: "P1") == [query])
        #expect(try await journal.queriesWithoutChange(of: "P1").isEmpty)
        #expect(try JournalVerification(of: place.snapshot()).findings == [])
        for month in [Self.january, Self.february].map({ ArchiveMonth(of: $0) }) {
            #expect(try JournalVerification(of: SQLiteDriver.snapshot(of: path(month))).findings == [])
            #expect(SQLiteDriver.filesOpenToOthers(path: path(month)).isEmpty)
        }
        let size = try JournalSize(of: place.snapshot(), at: Self.later)
        #expect(size.archived == 9 && size.payments == 10)
    }

    @Test("A payment that anything still needs stays whole", arguments: Database.available)
    func keepsWhatIsNeeded(database: Database) async throws {
        let journal = try await Place(database, folder).journal()
        for (number, state) in PaymentState.allCases.enumerated() {
            try await journal.settle(state.rawValue, number: number, at: Self.january, as: state)
        }
        try await journal.settle("holding data", number: 20, at: Self.january, erased: false)
        try await journal.settle("waiting event", number: 21, at: Self.january, event: true)
        try await journal.settle("taken", number: 22, at: Self.january, taken: true)
        try await journal.settle("hint", number: 23, at: Self.january)
        let hint = GatewayHint(
            account: "main", merchantReference: "hint", subject: .charge(.purchase), statement: .captured, amount: 1,
            currency: "AED", gatewayReference: nil)
        #expect(try await journal.add(hint, kind: .direct, at: Self.january, limit: 9))
        try await journal.settle("changed since", number: 24, at: Self.later)
        let elsewhere = Payment(
            merchantReference: "declined elsewhere", command: .purchase, amount: 1, currency: "AED", fingerprint: nil,
            appleTransactionIdentifier: nil, claimedAt: Self.january, gateway: "fort", state: .declined,
            holdsCustomerData: false)
        #expect(
            try await journal.record(elsewhere, because: HistoryEntry(at: Self.january, state: .declined)))
        #expect(try await journal.eraseCustomerData(of: "declined elsewhere", at: Self.january, knowing: .sample))

        let final = PaymentState.allCases.filter(\.canBeArchived)
        #expect(try await archive(journal) == final.count)
        for state in PaymentState.allCases {
            let payment = try #require(try await journal.payment(state.rawValue))
            #expect((payment.archivedVersion != nil) == final.contains(state), "\(state)")
        }
        #expect(
            Set(final) == [.captured, .partiallyRefunded, .refunded, .voided, .declined, .notProcessed],
            "what is open, held or may be claimed again stays")
        for reference in [
            "holding data", "waiting event", "taken", "hint", "changed since", "declined elsewhere",
        ] {
            #expect(try await journal.payment(reference)?.archivedVersion == nil, "\(reference)")
            #expect(try await !journal.history(of: reference).isEmpty, "\(reference)")
        }
    }

    @Test(
        "A gateway's proof about an archived payment is recorded, and follows the payment to its file",
        arguments: Database.available)
    func recordsWhatComesLater(database: Database) async throws {
        let place = try Place(database, folder)
        let journal = try await place.journal()
        try await journal.settle("A", number: 1, at: Self.january)
        let whole = try #require(try await journal.payment("A"))
        let history = try await journal.history(of: "A")
        #expect(try await archive(journal) == 1)

        let archived = try #require(try await journal.payment("A"))
        var refunded = archived
        refunded.state = .refunded
        refunded.balance = Balance(captured: archived.balance.captured, refunded: archived.balance.captured)
        refunded.version += 1
        let entry = HistoryEntry(at: Self.february, state: .refunded, balance: refunded.balance, reason: "elsewhere:")
        #expect(try await journal.compareAndSet(archived, to: refunded, because: entry))
        #expect(try await journal.history(of: "A") == [entry])
        #expect(try JournalVerification(of: place.snapshot()).findings == [])
        let change = try #require(try await journal.changes(ChangeQuery()).changes.first)
        #expect(change.stateBefore == nil && change.moved == Balance(refunded: archived.balance.captured))

        #expect(try await archive(journal) == 1)
        #expect(try await journal.history(of: "A").isEmpty)
        let file = try SQLJournal(attachingTo: path(ArchiveMonth(of: Self.january)))
        let found = try #require(try await file.payment("A"))
        #expect(found.state == .refunded && found.receipt == whole.receipt && found.operations == whole.operations)
        #expect(found.appleTransactionIdentifier == whole.appleTransactionIdentifier)
        #expect(try await file.history(of: "A") == history + [entry])
        #expect(try JournalVerification(of: place.snapshot()).findings == [])
        #expect(
            try JournalVerification(of: SQLiteDriver.snapshot(of: path(ArchiveMonth(of: Self.january)))).findings == [])
    }

    @Test("R5: a payment that changes after it was copied stays whole", arguments: Database.available)
    func keepsWhatChangedMeanwhile(database: Database) async throws {
        let place = try Place(database, folder)
        let journal = try await place.journal()
        for number in 0..<3 { try await journal.settle("P\(number)", number: number, at: Self.january) }
        let changed = Mutex(false)
        let archive = JournalArchive(of: journal) { [path = path(ArchiveMonth(of: Self.january))] _ in
            if changed.withLock({ isChanged in
                defer { isChanged = true }
                return !isChanged
            }) {
                _ = try place.session().run(
                    script: """
                        UPDATE payment SET version = version + 1 WHERE merchant_reference = 'P1';
                        INSERT INTO history (merchant_reference, number, at, state, captured, refunded, kind, times)
                            SELECT merchant_reference, version, claimed_at, state, captured, refunded, 'charge', 1 FROM payment
                            WHERE merchant_reference = 'P1'
                        """)
            }
            return try SQLiteDriver.target(path)
        }
        let done = try await archive.run(before: Self.later)
        #expect(done.moved == 2 && done.kept == 1)
        #expect(try await journal.payment("P1")?.archivedVersion == nil)
        #expect(try await journal.history(of: "P1").count == 5)
        #expect(try JournalVerification(of: place.snapshot()).findings == [])
        #expect(try await archive.run(before: Self.later).moved == 1)
        #expect(
            try JournalVerification(of: SQLiteDriver.snapshot(of: path(ArchiveMonth(of: Self.january)))).findings == [])
    }

    @Test(
        "R5: a run that ends at any statement of the file loses nothing, and the next one finishes it",
        arguments: [false, true])
    func isFinishedWhereverItEnded(isDone: Bool) async throws {
        var isWhole = false
        var count = isDone ? 1 : 0
        while !isWhole {
            let path = folder.path("live-\(isDone)-\(count).sqlite")
            let file = folder.path("month-\(isDone)-\(count).sqlite")
            let journal = try SQLJournal(path: path)
            for number in 0..<3 { try await journal.settle("P\(number)", number: number, at: Self.january) }
            let payments = try await (0..<3).asyncMap { try await journal.payment("P\($0)") }
            do {
                _ = try await JournalArchive(of: journal) { [count] _ in
                    try InterruptedSession(SQLiteDriver.target(file), after: count, isDone: isDone)
                }.run(before: Self.later)
                isWhole = true
                #expect(count > 20)
            } catch is Interruption {
                #expect(try await (0..<3).asyncMap { try await journal.payment("P\($0)") } == payments)
            }
            #expect(try JournalVerification(of: SQLiteDriver.snapshot(of: path)).findings == [])
            let done = try await JournalArchive(of: journal) { _ in try SQLiteDriver.target(file) }
                .run(before: Self.later)
            #expect(done.moved == (isWhole ? 0 : 3))
            let archived = try SQLJournal(attachingTo: file)
            #expect(try await (0..<3).asyncMap { try await archived.payment("P\($0)") } == payments)
            #expect(try JournalVerification(of: SQLiteDriver.snapshot(of: path)).findings == [])
            #expect(try JournalVerification(of: SQLiteDriver.snapshot(of: file)).findings == [])
            count += 5
        }
    }

    @Test("S6: a record that cannot be read stays, and keeps no other from the archive")
    func leavesWhatCannotBeRead() async throws {
        let journal = try SQLJournal(path: folder.path("live.sqlite"))
        for number in 0..<3 { try await journal.settle("P\(number)", number: number, at: Self.january) }
        let connection = try SQLiteConnection(path: folder.path("live.sqlite"))
        try connection.run(
            script: "UPDATE history SET reason = CAST(x'ff' AS TEXT) WHERE merchant_reference = 'P1' AND number = 1")
        for reference in ["ff", "fe", "80"] {
            for table in ["payment", "history"] {
                try connection.run(
                    script: """
                        CREATE TEMP TABLE row AS SELECT * FROM \(table) WHERE merchant_reference = 'P2';
                        UPDATE row SET merchant_reference = CAST(x'\(reference)' AS TEXT);
                        \(table == "payment" ? "UPDATE row SET token_digest = NULL;" : "")
                        INSERT INTO \(table) SELECT * FROM row;
                        DROP TABLE row
                        """)
            }
        }
        #expect(try await archive(journal) == 2)
        #expect(try await journal.payment("P1")?.archivedVersion == nil)
    }

    @Test("A file that another process writes is not written to, and all rows stay in the journal")
    func refusesAFileInUse() async throws {
        let journal = try SQLJournal(path: folder.path("live.sqlite"))
        try await journal.settle("A", number: 1, at: Self.january)
        let other = try SQLiteDriver.target(path(ArchiveMonth(of: Self.january)))
        await #expect(throws: SQLiteJournalError.self) { try await archive(journal) }
        #expect(try await journal.payment("A")?.archivedVersion == nil)
        withExtendedLifetime(other) {}
    }

    // MARK: - Journals

    private func path(_ month: ArchiveMonth) -> String { folder.path("payments-\(month).sqlite") }

    private func archive(_ journal: SQLJournal) async throws -> Int {
        try await JournalArchive(of: journal) { [folder] in
            try SQLiteDriver.target(folder.path("payments-\($0).sqlite"))
        }.run(before: Self.later - 86_400).moved
    }

    private struct Place {
        let database: Database
        let address: String

        init(_ database: Database, _ folder: TemporaryFolder) throws {
            self.database = database
            address =
                try database == .sqlite ? folder.path("live.sqlite") : PostgresServer.shared.get().emptyDatabase()
        }

        func journal() async throws -> SQLJournal {
            switch database {
            case .sqlite: try SQLJournal(path: address)
            case .postgres: try await SQLJournal(url: address, settings: .patient)
            }
        }

        func snapshot() throws -> any TableSession {
            switch database {
            case .sqlite: try SQLiteDriver.snapshot(of: address)
            case .postgres: try PostgresDriver.snapshot(of: address)
            }
        }

        /// Opens a session that writes without the journal.
        func session() throws -> any ScriptSession {
            switch database {
            case .sqlite: try SQLiteConnection(path: address)
            case .postgres:
                try {
                    let session = try PostgresDriver.snapshot(of: address)
                    _ = try session.run(script: "ROLLBACK")
                    return session
                }()
            }
        }
    }
}

extension SQLJournal {
    /// Makes a payment that was claimed, recorded, perhaps refunded in part, and erased, all at one time.
    fileprivate func settle(
        _ reference: String, number: Int, at moment: Date, as state: PaymentState = .captured, erased: Bool = true,
        event: Bool = false, taken: Bool = false
    ) async throws {
        let claim = Change.sample(reference, token: number, key: "key \(number)", at: moment, client: "shop")
        guard try await self.claim(claim) == .written else { throw JournalError.contended }
        let amount = claim.after.amount
        let balance: Balance =
            switch state {
            case .captured: Balance(captured: amount)
            case .partiallyCaptured: Balance(captured: 5)
            case .partiallyRefunded: Balance(captured: amount, refunded: 5)
            case .refunded: Balance(captured: amount, refunded: amount)
            default: Balance()
            }
        guard state != .processing else { return }
        let receipt = Array(#"{"outcome":"\#(state.rawValue)","customer_email":"a@b.example"}"#.utf8)
        _ = try await transition(
            reference, from: .processing, receipt: receipt,
            because: HistoryEntry(
                at: moment + 1, state: state, balance: balance, event: event ? Array("{}".utf8) : nil))
        guard var payment = try await payment(reference), !state.isOpen else { return }
        let before = payment
        payment.version += 1
        payment.holdsCustomerData = true
        if state == .captured {
            payment.operations = [
                PaymentOperation(
                    command: .refund, amount: 5, maintenanceReference: "m", idempotencyKey: "refund \(number)",
                    before: balance, begunAt: moment + 2, state: .declined)
            ]
        }
        payment.taken = taken ? Taken(by: "sara", at: moment) : nil
        _ = try await compareAndSet(
            before, to: payment, because: HistoryEntry(at: moment + 2, state: state, balance: balance))
        if erased { _ = try await eraseCustomerData(of: reference, at: moment + 3, knowing: .sample) }
    }
}

extension Sequence {
    fileprivate func asyncMap<Value>(_ body: (Element) async throws -> Value) async throws -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await body(element)) }
        return values
    }
}
