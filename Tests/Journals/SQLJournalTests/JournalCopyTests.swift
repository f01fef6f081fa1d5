import Foundation
import JournalContract
import PaymentRelay
import PostgresDriver
import SQLiteDriver
import TestPostgres
import TestPrograms
import Testing

@testable import SQLJournal

/// A journal that moves from one database to another stays the same journal. An unfinished copy is not a journal.
@Suite struct JournalCopyTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path("journal.sqlite") }
    private var target: String { folder.path("target.sqlite") }

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test(
        "R5: a journal with every kind of row is equal after the way to PostgreSQL and back",
        .enabled(if: PostgresServer.isAvailable, "PostgreSQL's server programs are not installed"),
        .timeLimit(.minutes(25)))
    func staysTheSameOnTheWayToPostgresAndBack() async throws {
        let url = try PostgresServer.shared.get().emptyDatabase()
        try await makeJournal(rowsOfATable: 1_203)
        let before = try contents()
        #expect(before.rows.allSatisfy { $0.count >= 1_203 } && before.rows.count == Schema.tables.count)
        #expect(before.totals.values.reduce(0) { $0 + $1.payments } == 3, "those that are none are not in the totals")
        #expect(before.unreadable > 0)

        let over = try JournalCopy(from: SQLiteDriver.source(path), to: PostgresDriver.tables(of: url)).run()
        #expect(over == before)
        #expect(try JournalContents(of: PostgresDriver.snapshot(of: url)) == before)
        let back = try JournalCopy(from: PostgresDriver.tables(of: url), to: SQLiteDriver.target(target)).run()
        #expect(back == before && back.digest == before.digest)
        #expect(try JournalContents(of: SQLiteDriver.snapshot(of: target)) == before)

        let journal = try await SQLJournal(url: url, settings: .patient)
        #expect(try await journal.payment("paid-1")?.state == .captured)
        let named = try await journal.search(Searched(name: "سارة").query).payments
        #expect(named.contains { $0.merchantReference == "paid-1" })
        // A relay is connected: its journal is neither copied nor overwritten.
        let error = #expect(throws: PostgresError.self) { try PostgresDriver.tables(of: url) }
        #expect(error.map { "\($0)".contains("stop every relay first") } == true)
        // A snapshot is allowed, because it only reads one state.
        _ = try PostgresDriver.snapshot(of: url)
    }

    @Test(
        "a relay whose connections have another name is noticed, too",
        .enabled(if: PostgresServer.isAvailable, "PostgreSQL's server programs are not installed"),
        .timeLimit(.minutes(25)))
    func noticesARelayOfAnotherName() async throws {
        let url = try PostgresServer.shared.get().emptyDatabase()
        _ = try PostgresDriver.tables(of: url)
        let named = url + (url.contains("?") ? "&" : "?") + "application_name=shop"
        let relay = try await SQLJournal(url: named, settings: .patient)
        var refusal: PostgresError?
        // On a busy machine this may take longer than the time for which a relay counts as alive.
        for _ in 1...10 where refusal == nil {
            try await relay.note("x", at: Date())
            do { _ = try PostgresDriver.tables(of: url) } catch { refusal = error }
        }
        #expect(refusal == .inUse(sessions: 1))
        try await relay.forget("x")
        _ = try PostgresDriver.tables(of: url)
    }

    @Test(
        "R5: PostgreSQL refuses a relay until a copy into it is finished, and the copy goes on",
        .enabled(if: PostgresServer.isAvailable, "PostgreSQL's server programs are not installed"),
        .timeLimit(.minutes(25)))
    func refusesARelayOnAnUnfinishedCopy() async throws {
        let url = try PostgresServer.shared.get().emptyDatabase()
        try await makeJournal(rowsOfATable: 501)
        #expect(throws: Interruption.self) {
            let session = InterruptedSession(try PostgresDriver.tables(of: url), after: 35, isDone: true)
            _ = try JournalCopy(from: SQLiteDriver.source(path), to: session).run()
        }
        await #expect(throws: PostgresError.unfinishedCopy) {
            try await SQLJournal(url: url, settings: .patient)
        }
        #expect(throws: PostgresError.unfinishedCopy) { try PostgresDriver.snapshot(of: url) }
        #expect(throws: JournalCopyError.sourceVersion) {
            try JournalCopy(from: PostgresDriver.tables(of: url), to: SQLiteDriver.target(target)).run()
        }
        #expect(
            try JournalCopy(from: SQLiteDriver.source(path), to: PostgresDriver.tables(of: url)).run() == contents())
        _ = try await SQLJournal(url: url, settings: .patient)
    }

    /// Each statement is one transaction, so the test covers all states that a crash can leave.
    @Test(
        "R5: a copy that ends at any of its statements is finished by the next one, and no relay takes it for a journal",
        .timeLimit(.minutes(25)), arguments: zip([false, true], [501, 3]))
    func isFinishedWhereverItEnded(isDone: Bool, entries: Int) async throws {
        try await makeJournal(rowsOfATable: 3, andOfHistory: entries)
        let before = try contents()
        var isWhole = false
        // Every seventh statement is tried, and each case tries other statements.
        var count = isDone ? 3 : 0
        while !isWhole {
            let target = folder.path("target-\(count).sqlite")
            do {
                let session = InterruptedSession(try SQLiteDriver.target(target), after: count, isDone: isDone)
                _ = try JournalCopy(from: SQLiteDriver.source(path), to: session).run()
                isWhole = true
                #expect(count > 40)
            } catch is Interruption {}
            do {
                let rows = try SQLiteDriver.snapshot(of: target).number("SELECT count(*) FROM history")
                #expect(rows == 0 || rows == before.rows.first { $0.table == "history" }?.count)
            } catch let error as SQLiteJournalError {
                #expect(error.reason.contains("not finished") || error.reason.contains("another version"))
            }
            if !isWhole { try JournalCopy(from: SQLiteDriver.source(path), to: SQLiteDriver.target(target)).run() }
            #expect(try JournalContents(of: SQLiteDriver.snapshot(of: target)) == before)
            _ = try SQLJournal(path: target)
            count += 7
        }
    }

    @Test func refusesATargetThatIsNotEmpty() async throws {
        try await makeJournal(rowsOfATable: 1)
        _ = try await SQLJournal(path: target).claim(.sample("mine", token: 9))
        try waitUntilClosed(journal: target)
        #expect(throws: JournalCopyError.targetNotEmpty(table: "payment")) { try copy() }
        #expect(try await SQLJournal(path: target).payment("mine") != nil)
    }

    @Test(
        "A journal is not copied onto itself, whatever name it is given", arguments: ["journal.sqlite", "link.sqlite"])
    func refusesItself(name: String) async throws {
        try await makeJournal(rowsOfATable: 1)
        try FileManager.default.createSymbolicLink(atPath: folder.path("link.sqlite"), withDestinationPath: path)
        let before = try contents()
        #expect(throws: SQLiteJournalError.self) {
            try JournalCopy(from: SQLiteDriver.source(path), to: SQLiteDriver.target(folder.path(name))).run()
        }
        #expect(try contents() == before)
    }

    @Test func refusesAJournalThatARelayHas() async throws {
        try await makeJournal(rowsOfATable: 1)
        let relay = try SQLJournal(path: path)
        let error = #expect(throws: SQLiteJournalError.self) { try copy() }
        #expect(error?.reason.contains("another payrelay process") == true)
        withExtendedLifetime(relay) {}
    }

    @Test func refusesAFileWithTwoNames() async throws {
        try await makeJournal(rowsOfATable: 1)
        try FileManager.default.linkItem(atPath: path, toPath: folder.path("other.sqlite"))
        let other = folder.path("other.sqlite")
        for error in [
            #expect(throws: SQLiteJournalError.self, performing: { _ = try SQLiteDriver.source(other) }),
            #expect(throws: SQLiteJournalError.self, performing: { _ = try SQLiteDriver.snapshot(of: other) }),
            #expect(throws: SQLiteJournalError.self, performing: { _ = try SQLiteDriver.target(other) }),
        ] {
            #expect(error?.reason.contains("hard links") == true)
        }
    }

    @Test("A source of another version is refused", arguments: [0, Schema.versions.count + 1, 99, -7])
    func refusesAnotherVersion(version: Int) async throws {
        try await makeJournal(rowsOfATable: 1)
        try SQLiteConnection(path: path).run(script: "UPDATE schema_version SET version = \(version)")
        #expect(throws: SQLiteJournalError.self) { try copy() }
        #expect(throws: SQLiteJournalError.self) { try SQLiteDriver.snapshot(of: path) }
    }

    @Test(
        "A file that is not a journal is refused",
        arguments: ["", "no database", String(repeating: "\0", count: 8_192)])
    func refusesWhatIsNoJournal(content: String) throws {
        try folder.file("journal.sqlite", content)
        #expect(throws: SQLiteJournalError.self) { try copy() }
        #expect(throws: SQLiteJournalError.self) { try SQLiteDriver.snapshot(of: path) }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == content)
    }

    @Test(
        "S6: a value that its column cannot have ends the copy, and the error names its place",
        arguments: ["CAST(x'ff' AS TEXT)", "'a' || char(0) || 'b'"])
    func namesTheRowThatCannotBeCopied(value: String) async throws {
        try await makeJournal(rowsOfATable: 1)
        try SQLiteConnection(path: path).run(
            script: "UPDATE payment SET client = \(value) WHERE merchant_reference = 'paid-2'")
        #expect(throws: UnreadableRow(table: "payment", key: #""paid-2""#, column: "client")) { try copy() }
        #expect(throws: SQLiteJournalError.self) { try SQLiteDriver.snapshot(of: target) }
    }

    @Test("S6: a column of another type ends the copy, even if SQLite's own check is off")
    func namesAColumnOfAnotherType() async throws {
        try await makeJournal(rowsOfATable: 1)
        try SQLiteConnection(path: path).run(
            script: """
                PRAGMA writable_schema = ON;
                UPDATE sqlite_schema SET sql = replace(sql, 'STRICT', '') WHERE name = 'payment';
                """)
        try SQLiteConnection(path: path).run(
            script: "UPDATE payment SET amount = 'much' WHERE merchant_reference = 'paid-0'")
        #expect(throws: UnreadableRow(table: "payment", key: #""paid-0""#, column: "amount")) { try copy() }
    }

    @Test("A source that is written to meanwhile is a difference, and the copy names it")
    func namesADifference() async throws {
        try await makeJournal(rowsOfATable: 1)
        #expect(throws: Interruption.self) {
            let session = InterruptedSession(try SQLiteDriver.target(target), after: 30, isDone: true)
            _ = try JournalCopy(from: SQLiteDriver.source(path), to: session).run()
        }
        try SQLiteConnection(path: path).run(
            script: "UPDATE payment SET amount = 1 WHERE merchant_reference = 'paid-1'")
        #expect(
            throws: JournalCopyError.different(table: "payment", key: #""paid-1""#, how: "amount is another")
        ) { try copy() }
        try SQLiteConnection(path: path).run(script: "DELETE FROM payment WHERE merchant_reference = 'paid-0'")
        #expect(
            throws: JournalCopyError.different(
                table: "payment", key: #""paid-0""#, how: "only the target has this row")
        ) { try copy() }
        #expect(throws: SQLiteJournalError.self) { try SQLiteDriver.snapshot(of: target) }
    }

    @Test func everyChangeOfAValueChangesTheDigest() async throws {
        try await makeJournal(rowsOfATable: 2)
        let connection = try SQLiteConnection(path: path)
        var seen: Set<[UInt8]> = [try contents().digest]
        var count = 1
        for table in Schema.tables {
            for (place, column) in table.columns.enumerated() where !table.key.contains(place) {
                let value =
                    switch column.kind {
                    case .text: "coalesce(\(column.name), '') || 'x'"
                    case .bytes: "CAST(coalesce(\(column.name), x'') || x'01' AS BLOB)"
                    case .integer: "coalesce(\(column.name), 0) / 2 + 77"
                    }
                let key = table.columns[table.key[0]].name
                try connection.run(
                    script: """
                        UPDATE \(table.name) SET \(column.name) = \(value)
                            WHERE \(key) = (SELECT max(\(key)) FROM \(table.name))
                        """)
                seen.insert(try contents().digest)
                count += 1
            }
        }
        #expect(seen.count == count && count > 60)
    }

    @Test("A journal in order is found in order, and one whose tables disagree is not")
    func findsWhatTablesDisagreeAbout() async throws {
        try await makePayments()
        #expect(try findings() == [])
        for (change, finding) in [
            ("UPDATE history SET captured = 1 WHERE merchant_reference = 'paid-1'", "the last entry of its history"),
            (
                """
                INSERT INTO history (merchant_reference, number, at, state, captured, refunded, kind, times)
                VALUES ('lost', 1, 1, 'captured', 0, 0, 'charge', 1)
                """,
                "an entry that the payment does not know"
            ),
            ("INSERT INTO movement VALUES (7, 'paid-2', 1, 1, NULL, 'KWD', 5)", "a movement without its entry"),
            ("UPDATE payment SET refunded = 5 WHERE merchant_reference = 'paid-0'", "more was captured or refunded"),
        ] {
            try SQLiteConnection(path: path).run(script: change)
            #expect(try findings().contains { $0.contains(finding) }, "\(finding)")
        }
        try SQLiteConnection(path: path).run(
            script: "UPDATE payment SET state = 'lost' WHERE merchant_reference = 'paid-1'")
        let findings = try findings()
        #expect(
            findings.contains { $0.contains(#"2 records cannot be read; the first: payment "paid-0": captured"#) },
            "\(findings)")
    }

    @Test func saysHowLargeAndOldItIs() async throws {
        try await makePayments()
        let size = try JournalSize(of: SQLiteDriver.snapshot(of: path), at: .wholeSecond + 2 * 86_400)
        #expect(size.payments == 3 && size.oldest == .wholeSecond && size.newest == .wholeSecond + 2)
        #expect(size.recent == 3 && size.paymentsADay(at: .wholeSecond + 2 * 86_400) == 1.5)
        #expect(size.erased == 0 && size.oldestWithCustomerData == .wholeSecond)
        #expect((size.bytes ?? 0) > 0)
    }

    // MARK: - Journals

    @discardableResult private func copy() throws -> JournalContents {
        try JournalCopy(from: SQLiteDriver.source(path), to: SQLiteDriver.target(target)).run()
    }

    private func contents() throws -> JournalContents { try JournalContents(of: SQLiteDriver.snapshot(of: path)) }

    private func findings() throws -> [String] {
        try JournalVerification(of: SQLiteDriver.snapshot(of: path)).findings
    }

    /// Makes three payments as a relay writes them, and ends the relay.
    private func makePayments() async throws {
        try await writePayments(to: SQLJournal(path: path))
        try waitUntilClosed(journal: path)
    }

    private func writePayments(to journal: SQLJournal) async throws {
        for number in 0..<3 {
            let reference = "paid-\(number)"
            _ = try await journal.claim(
                .sample(
                    reference, token: number, at: .wholeSecond + Double(number), client: "shop", email: "a@b.example"))
        }
        _ = try await journal.transition(
            "paid-1", from: .processing, receipt: Array("{}".utf8),
            because: HistoryEntry(at: .wholeSecond, state: .captured, event: Array("{}".utf8)))
    }

    /// Makes the three payments, and in each table rows with every kind of value that its columns take.
    private func makeJournal(rowsOfATable count: Int, andOfHistory entries: Int? = nil) async throws {
        try await makePayments()
        let connection = try SQLiteConnection(path: path)
        try connection.run(script: "BEGIN")
        for table in Schema.tables {
            let columns = try connection.run(script: "PRAGMA table_info(\(table.name))")
            #expect(Set(try columns.map { try $0.text("name") }) == Set(table.columns.map(\.name)))
            let required = Set(
                try columns.filter { try $0.integer("notnull") == 1 }.map { try $0.text("name") })
            let places = (1...table.columns.count).map { "$\($0)" }.joined(separator: ", ")
            for number in 0..<(table.name == "history" ? entries ?? count : count) {
                let values = table.columns.enumerated().map { place, column in
                    let isUnique =
                        table.key.contains(place) || column.name == "apple_transaction_identifier"
                    return Value.sample(
                        of: column.kind, number: number, place: place, isUnique: isUnique,
                        isRequired: required.contains(column.name))
                }
                _ = try connection.keep("INSERT INTO \(table.name) (\(table.columnList)) VALUES (\(places))").run(
                    values)
            }
        }
        try connection.run(script: "COMMIT")
    }
}

extension Value {
    /// Texts that a language orders differently from their bytes, and texts that are quoted, empty, or longer than a page.
    private static let texts = [
        "", "Z9", "a10", "ä", "-1", "a b", "'\"\\%_$1", "\u{1}\n\t\u{7F}", "e\u{301}", "é", "👩‍👩‍👧", "\u{FFFD}",
        String(repeating: "long ", count: 80), "NULL", "\\x00",
    ]
    private static let integers = [0, 1, -1, .max, .min, 1_800_000_000_000, 1 << 31, -1 << 31]
    private static let bytes: [[UInt8]] = [
        [], [0], [0xFF, 0, 0x27, 0x5C], Array(0...255), Array(repeating: 0x5C, count: 20_000),
    ]

    /// - Parameter number: The row's number. With `isUnique`, no other row has the same value.
    fileprivate static func sample(
        of kind: JournalTable.Column.Kind, number: Int, place: Int, isUnique: Bool, isRequired: Bool
    ) -> Value {
        let seed = number + 7 * place
        let isNull = !isRequired && seed % 3 == 0
        switch kind {
        case .text:
            if isNull { return .text(nil) }
            let text = texts[seed % texts.count]
            // An index may contain only the beginning of the text.
            let unique = text.count < 60 ? text + "\(number)" : "\(number)" + text
            return .text(isUnique ? unique : text)
        case .integer:
            if isNull { return .integer(nil) }
            return .integer(isUnique ? number * (number % 2 == 0 ? 1_000_003 : -7) : integers[seed % integers.count])
        case .bytes:
            if isNull { return .bytes(nil) }
            return .bytes(isUnique ? Array("\(number)".utf8) : bytes[seed % bytes.count])
        }
    }
}

struct Interruption: Error {}

/// A session that ends at one of its statements.
final class InterruptedSession: TableSession {
    private let session: any TableSession
    private var left: Int
    private let isDone: Bool

    /// - Parameters:
    ///   - count: The number of statements that run before the end.
    ///   - isDone: Whether the database still runs the last statement, and only its answer is missing.
    init(_ session: any TableSession, after count: Int, isDone: Bool) {
        self.session = session
        left = count
        self.isDone = isDone
    }

    var dialect: Dialect { session.dialect }

    func run(script: String) throws -> [Row] { try interrupting { try session.run(script: script) } }

    func answer(to sql: String, _ values: [Value]) throws -> Answer {
        try interrupting { try session.answer(to: sql, values) }
    }

    private func interrupting<Result>(_ body: () throws -> Result) throws -> Result {
        left -= 1
        guard left < 0 else { return try body() }
        if isDone { _ = try body() }
        throw Interruption()
    }
}
