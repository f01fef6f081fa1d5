import PaymentRelay

/// When a statement is run again: where the server undid it in favour of another, and, if it may be run twice, where the connection
/// was lost before it said how the statement ended. A claim is not run twice: its outcome is unknown then, and nothing is sent.
extension PostgresJournal {
    /// How often a statement is run that gives way to others, and how often a claim is tried.
    static let attempts = 8

    /// - Returns: what `body` makes of the answer; the observer is called with a record that it cannot read.
    func read<Value>(
        _ statement: PostgresStatement, _ values: [PostgresValue],
        _ body: (PostgresAnswer) throws(UnreadableRecord) -> Value
    ) async throws(JournalError) -> Value {
        let answer = try await run(statement, values)
        do throws(UnreadableRecord) {
            return try body(answer)
        } catch {
            onUnreadable(error)
            throw .unreadable(error)
        }
    }

    func run(
        _ statement: PostgresStatement, _ values: [PostgresValue]
    ) async throws(JournalError) -> PostgresAnswer {
        do throws(PostgresError) {
            return try await execute(statement, values)
        } catch {
            throw JournalError(error)
        }
    }

    func execute(
        _ statement: PostgresStatement, _ values: [PostgresValue]
    ) async throws(PostgresError) -> PostgresAnswer {
        try await Self.again(while: \.gaveWay) { () throws(PostgresError) in
            do throws(PostgresError) {
                return try await pool.run(statement, values)
            } catch {
                guard case .outcomeUnknown = error, statement.isRepeatable else { throw error }
                // Where the second time fails too, the first may still have written.
                let lost = error
                do { return try await pool.run(statement, values) } catch { throw lost }
            }
        }
    }

    static func again<Result: Sendable>(
        while condition: (PostgresError) -> Bool, _ body: () async throws(PostgresError) -> Result
    ) async throws(PostgresError) -> Result {
        for attempt in 1..<attempts {
            do {
                return try await body()
            } catch {
                guard condition(error) else { throw error }
                // Statements that collided and wait equally long collide again.
                try? await Task.sleep(for: .milliseconds(Int.random(in: 0...(10 << min(attempt, 5)))))
            }
        }
        return try await body()
    }
}
