import CSQLite
import Dispatch
import PaymentRelay
import SQLJournal
import Synchronization

/// A connection of the pool, opened when it is first needed.
///
/// It is safe to send it: the pool gives it to one thread at a time, and everything else in it is constant.
final class SQLiteSession: PooledConnection, @unchecked Sendable {
    let queue: DispatchQueue
    private let open: () throws(SQLiteError) -> SQLiteConnection
    private let isReader: Bool
    /// The journal's file, compared with the file at its path before and after each commit and when a reader is
    /// opened; `nil` if another process owns the file.
    private let file: JournalFile?
    /// The checkpoints; `nil` leaves checkpoints to SQLite.
    private let checkpoints: Checkpoints?
    private var opened: SQLiteConnection?
    private var prepared: [String: [SQLiteStatement]] = [:]

    init(
        isReader: Bool = false, file: JournalFile? = nil, checkpoints: Checkpoints? = nil,
        open: @escaping () throws(SQLiteError) -> SQLiteConnection
    ) {
        self.isReader = isReader
        self.file = file
        self.checkpoints = checkpoints
        self.open = open
        queue = DispatchQueue(label: isReader ? "payrelay.journal.reader" : "payrelay.journal.writer")
    }

    func runTogether(
        _ statements: [(statement: Statement, values: [Value])]
    ) throws(StatementFailure) -> [Answer] {
        let connection: SQLiteConnection
        do {
            connection = try self.connection()
            if isReader {
                return try statements.map { statement, values throws(SQLiteError) in
                    try run(statement, values, on: connection)
                }
            }
        } catch {
            if isReader { close() }
            throw StatementFailure(.unavailable(reason: "\(error)"))
        }
        return try commit(statements, on: connection)
    }

    private func connection() throws -> SQLiteConnection {
        if let opened { return opened }
        // SQLite opens the file at the path. It could be another journal, or this one with a log that SQLite
        // creates anew.
        if isReader { try file?.check(readsBeginnings: false) }
        let connection = try open()
        if isReader { try file?.check(readsBeginnings: false) }
        opened = connection
        return connection
    }

    /// Closes the connection. The next statement opens it again.
    private func close() {
        // Release the statements first, because they belong to the connection.
        prepared = [:]
        opened = nil
    }

    private func commit(
        _ statements: [(statement: Statement, values: [Value])], on connection: SQLiteConnection
    ) throws(StatementFailure) -> [Answer] {
        // The file may have been removed since the last commit.
        try check(connection, readsBeginnings: false)
        do throws(SQLiteError) {
            _ = try connection.keep("BEGIN IMMEDIATE").run([])
        } catch {
            throw StatementFailure(.unavailable(reason: "\(error)"))
        }
        var answers: [Answer] = []
        do throws(SQLiteError) {
            for (statement, values) in statements {
                answers.append(try run(statement, values, on: connection))
                if statement.sharesCommits { FailPoint.committing.reach() }
            }
        } catch {
            // Some errors have already ended the transaction, so that this fails.
            _ = try? connection.keep("ROLLBACK").run([])
            throw StatementFailure(.unavailable(reason: "\(error)"), isRefusal: true)
        }
        do throws(SQLiteError) {
            _ = try connection.keep("COMMIT").run([])
        } catch {
            _ = try? connection.keep("ROLLBACK").run([])
            throw StatementFailure(.unavailable(reason: "\(error)"))
        }
        // If the file was removed in the meantime, it does not contain the commit.
        try check(connection, readsBeginnings: true)
        return answers
    }

    private func check(_ connection: SQLiteConnection, readsBeginnings: Bool) throws(StatementFailure) {
        do throws(SQLiteJournalError) {
            try file?.check(readsBeginnings: readsBeginnings)
        } catch {
            // The log's content still exists until this process ends.
            if file?.canSaveLog == true { _ = try? connection.checkpoint(SQLITE_CHECKPOINT_PASSIVE) }
            throw StatementFailure(.unavailable(reason: "\(error)"))
        }
    }

    private func run(
        _ statement: Statement, _ values: [Value], on connection: SQLiteConnection
    ) throws(SQLiteError) -> Answer {
        var steps = try prepared(statement, on: connection)[...]
        if statement.obstacle != nil, let query = steps.popFirst(), try !query.run(values).rows.isEmpty {
            return Answer()
        }
        guard let first = steps.popFirst() else { return Answer() }
        let answer: Answer
        do throws(SQLiteError) {
            answer = try first.run(values)
        } catch {
            if error.isNotUnique { return Answer() }
            throw error
        }
        if statement.isGuarded, answer.count == 0 { return answer }
        for step in steps { _ = try step.run(values) }
        return answer
    }

    private func prepared(
        _ statement: Statement, on connection: SQLiteConnection
    ) throws(SQLiteError) -> [SQLiteStatement] {
        if let name = statement.name, let known = prepared[name] { return known }
        var steps: [SQLiteStatement] = []
        for sql in [statement.obstacle].compactMap(\.self) + statement.steps {
            steps.append(try connection.prepare(Dialect.sqlite.written(sql)))
        }
        if let name = statement.name { prepared[name] = steps }
        return steps
    }

    func didWrite(_ count: Int) {
        if let checkpoints, let opened { checkpoints.count(count, by: opened) }
    }
}
