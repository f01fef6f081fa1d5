import CPostgres
import Glibc
import SQLJournal

/// A session with the server over libpq, closed with the last reference. Nothing here waits beyond its deadline,
/// but a wait blocks the thread.
final class PostgresSession {
    typealias Deadline = ContinuousClock.Instant

    private let connection: OpaquePointer
    private var prepared: Set<String> = []

    /// Connects to the first host of the URL that can be written to.
    ///
    /// Each host has an equal share of the time. If one host does not answer and the others are replicas, this ends
    /// early, and the next attempt queries the replicas again, because one of them may have become the primary.
    ///
    /// - Throws: ``PostgresError/notConnected(reason:)``, with each host's reason.
    static func connect(to url: PostgresURL, until deadline: Deadline) throws(PostgresError) -> PostgresSession {
        let attempts = url.attempts
        let share = ContinuousClock.now.duration(to: deadline) / attempts.count
        var reasons: [String] = []
        for attempt in attempts {
            do {
                let session = try PostgresSession(attempt.parameters, until: .now + share)
                url.order.didConnect(to: attempt.host)
                return session
            } catch {
                if error.isSilence { url.order.didNotAnswer(attempt.host) }
                reasons.append(error.reason)
            }
        }
        throw .notConnected(reason: reasons.joined(separator: "; "))
    }

    private init(_ parameters: [PostgresURL.Parameter], until deadline: Deadline) throws(NotConnected) {
        guard let connection = parameters.withCStrings({ PQconnectStartParams($0, $1, 1) }) else {
            throw NotConnected(reason: "out of memory")
        }
        self.connection = connection
        // By default, notices such as "relation already exists, skipping" go to the standard error stream.
        PQsetNoticeProcessor(connection, { _, _ in }, nil)
        // Without a socket there is nothing to poll, and libpq reports the reason.
        var progress = PQstatus(connection) == CONNECTION_BAD ? PGRES_POLLING_FAILED : PGRES_POLLING_WRITING
        while progress != PGRES_POLLING_OK {
            guard progress != PGRES_POLLING_FAILED else { throw NotConnected(reason: message) }
            let direction = progress == PGRES_POLLING_READING ? POLLIN : POLLOUT
            guard wait(for: Int16(direction), until: deadline) else {
                throw NotConnected(reason: "no answer in time from \(host)", isSilence: true)
            }
            progress = PQconnectPoll(connection)
        }
        guard PQsetnonblocking(connection, 1) == 0 else { throw NotConnected(reason: message) }
    }

    deinit {
        PQfinish(connection)
    }

    /// The number of the server's process, as the server or a pooler before it announced it when the session was
    /// opened, as text. A pooler's number differs from `pg_backend_pid()`.
    var announcedProcess: String { "\(PQbackendPID(connection))" }

    /// Whether the session can be used further.
    var isUsable: Bool { PQstatus(connection) == CONNECTION_OK }

    /// Whether the server has sent nothing since the last statement. Except for rare notices, an unrequested
    /// message means that the server has closed the connection.
    var isQuiet: Bool { isUsable && !wait(for: Int16(POLLIN), until: .now) }

    /// Prepares a statement once. A statement without a name is prepared each time and replaces the one before it.
    ///
    /// - Parameter values: values with which the statement is run. Their types are the types of its parameters.
    func prepare(_ statement: Statement, _ values: [Value], until deadline: Deadline) throws(PostgresError) {
        let name = statement.name ?? ""
        guard !prepared.contains(name) else { return }
        let types = values.map(\.type)
        let sql = Dialect.postgres.written(statement.composed)
        _ = try answer(to: PQsendPrepare(connection, name, sql, Int32(types.count), types), until: deadline)
        if !name.isEmpty { prepared.insert(name) }
    }

    /// Runs a prepared statement.
    func run(
        _ statement: Statement, _ values: [Value], until deadline: Deadline
    ) throws(PostgresError) -> Answer {
        try answer(to: send(statement, values), until: deadline)
    }

    private func send(_ statement: Statement, _ values: [Value]) -> Int32 {
        values.withEncoded { bytes, lengths, formats in
            PQsendQueryPrepared(
                connection, statement.name ?? "", Int32(values.count), bytes, lengths, formats, Int32(1))
        }
    }

    /// Runs prepared statements in one transaction and one round trip (libpq's pipeline mode).
    ///
    /// - Returns: an answer for each statement, once the server has committed all.
    /// - Throws: the first refusal. The server has then undone all statements.
    func runTogether(
        _ statements: [(statement: Statement, values: [Value])], until deadline: Deadline
    ) throws(PostgresError) -> [Answer] {
        guard PQenterPipelineMode(connection) == 1 else { throw .outcomeUnknown(reason: message) }
        for (statement, values) in statements {
            guard send(statement, values) == 1 else { throw .outcomeUnknown(reason: message) }
        }
        guard PQpipelineSync(connection) == 1 else { throw .outcomeUnknown(reason: message) }
        try flush(until: deadline)
        var answers: [Answer] = []
        var refusal: PostgresError?
        var gaps = 0
        // The transaction ends when the server reaches the end of the pipeline. An error of the commit comes before
        // that.
        while true {
            guard let result = try nextResult(until: deadline) else {
                // There is one gap after each statement. A session that has ended returns only gaps.
                gaps += 1
                guard isUsable, gaps <= statements.count else { throw .outcomeUnknown(reason: message) }
                continue
            }
            if result.isPipelineEnd { break }
            do {
                if !result.isSkipped { answers.append(try result.answer()) }
            } catch {
                refusal = refusal ?? error
            }
        }
        guard isUsable, PQexitPipelineMode(connection) == 1 else {
            throw .outcomeUnknown(reason: refusal?.description ?? message)
        }
        if let refusal { throw refusal }
        guard answers.count == statements.count else { throw .outcomeUnknown(reason: "an answer is missing") }
        return answers
    }

    /// Runs a prepared statement, and undoes it.
    func rehearse(
        _ statement: Statement, _ values: [Value], until deadline: Deadline
    ) throws(PostgresError) -> Answer {
        _ = try run(script: "BEGIN", until: deadline)
        let result = Result { () throws(PostgresError) in try run(statement, values, until: deadline) }
        do {
            _ = try run(script: "ROLLBACK", until: deadline)
        } catch {
            // The next statement would run in the same transaction, so the session must be given up.
            throw .outcomeUnknown(reason: error.description)
        }
        return try result.get()
    }

    /// Runs statements without parameters, with their rows as text. Returns the last statement's answer.
    func run(script: String, until deadline: Deadline) throws(PostgresError) -> Answer {
        try answer(to: PQsendQuery(connection, script), until: deadline)
    }

    private func answer(to sent: Int32, until deadline: Deadline) throws(PostgresError) -> Answer {
        guard sent == 1 else { throw .outcomeUnknown(reason: message) }
        try flush(until: deadline)
        var answer = Answer()
        var refusal: PostgresError?
        while let result = try nextResult(until: deadline) {
            do { answer = try result.answer() } catch { refusal = refusal ?? error }
        }
        guard let refusal else { return answer }
        // A server that ends a session may have carried out the last statement before that.
        guard isUsable else { throw .outcomeUnknown(reason: refusal.description) }
        throw refusal
    }

    private func flush(until deadline: Deadline) throws(PostgresError) {
        while true {
            let code = PQflush(connection)
            if code == 0 { return }
            guard code == 1 else { throw .outcomeUnknown(reason: message) }
            // A server that waits until its output is read does not read on, so both directions count.
            guard wait(for: Int16(POLLIN | POLLOUT), until: deadline) else { throw .outcomeUnknown(reason: "timeout") }
            guard PQconsumeInput(connection) == 1 else { throw .outcomeUnknown(reason: message) }
        }
    }

    private func nextResult(until deadline: Deadline) throws(PostgresError) -> PostgresResult? {
        while PQisBusy(connection) == 1 {
            guard wait(for: Int16(POLLIN), until: deadline) else { throw .outcomeUnknown(reason: "timeout") }
            guard PQconsumeInput(connection) == 1 else { throw .outcomeUnknown(reason: message) }
        }
        return PQgetResult(connection).map(PostgresResult.init)
    }

    /// Waits for events on the socket; returns `false` if the deadline passes first. A socket with an error counts
    /// as ready, and libpq then finds the error.
    private func wait(for events: Int16, until deadline: Deadline) -> Bool {
        while true {
            let left = ContinuousClock.now.duration(to: deadline).components
            let milliseconds = max(0, left.seconds * 1_000 + left.attoseconds / 1_000_000_000_000_000 + 1)
            var descriptor = pollfd(fd: PQsocket(connection), events: events, revents: 0)
            let ready = poll(&descriptor, 1, deadline <= .now ? 0 : Int32(clamping: milliseconds))
            if ready >= 0 || errno != EINTR { return ready != 0 }
        }
    }

    private var host: String { PQhost(connection).map { String(cString: $0) } ?? "its host" }

    private var message: String { String(cString: PQerrorMessage(connection)).oneLine }
}

/// Why a connection to one host failed.
private struct NotConnected: Error {
    let reason: String
    var isSilence = false
}
