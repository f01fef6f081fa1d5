import Foundation
import JournalContract
import PaymentRelay
import PayrelayPrimitives
import SQLJournal
import TestPostgres
import Testing

@testable import PostgresDriver

/// The server commits, and the connection is lost before the journal learns it. The driver runs the statement again on another
/// connection, if the statement may be run twice. Otherwise the caller learns that the outcome is unknown.
@Suite(.enabled(if: PostgresServer.canBeStarted, "PostgreSQL's server programs are not installed"))
struct LostCommitTests {
    /// Runs a test with a journal behind a proxy that loses answers.
    private func with(
        _ body: (_ journal: SQLJournal, _ answers: LostAnswers, _ schema: PostgresSchema) async throws -> Void
    ) async throws {
        try await PostgresSchema.with(on: PostgresServer()) { schema in
            let answers = try LostAnswers(before: schema.url)
            let journal = try await SQLJournal(url: answers.url, settings: .patient)
            try await body(journal, answers, schema)
            withExtendedLifetime(answers) {}
        }
    }

    @Test(
        "R5: a write without an answer to its commit leaves the same rows as an answered one, and is reported alike",
        .timeLimit(.minutes(25)), arguments: Write.all)
    func writesOnce(write: Write) async throws {
        var (rows, results): ([[String]], [String]) = ([], [])
        try await with { journal, answers, schema in
            for isLost in [false, true] {
                try schema.run("TRUNCATE \(Schema.tables.map(\.name).joined(separator: ", ")), instance")
                try await write.prepare(journal)
                if isLost { answers.loseNextAnswer() }
                do throws(JournalError) {
                    results.append(try await write.run(journal))
                } catch {
                    guard case .outcomeUnknown = error, isLost, !write.isRepeated else { throw error }
                    results.append(results[0])
                }
                rows.append(try schema.rows())
            }
            #expect(answers.lost == 1)
        }
        #expect(results[0] == results[1])
        #expect(rows[0] == rows[1] && !rows[0].isEmpty)
    }

    @Test(
        "S18: an erasure whose commit is not answered erases the answer that came in between", .timeLimit(.minutes(25)))
    func erasesWhatCameInBetween() async throws {
        try await with { journal, answers, _ in
            _ = try await journal.captured(event: Array(#"{"customer_email":"a@b.c"}"#.utf8))
            let between = EventInBetween(target: journal, answers: answers)
            #expect(
                try await between.eraseCustomerData(of: "A", at: .wholeSecond + 9, knowing: .sample))
            #expect(answers.lost == 1)
            let attempts = try #require(try await journal.eventProgress(of: "A")).attempts[2]
            #expect(attempts?.newest.count == 1 && attempts?.newest.allSatisfy { $0.answer == nil } == true)
            #expect(try await journal.history(of: "A").filter { $0.reason == "customer data erased" }.count == 1)
        }
    }
}

/// A journal that delivers an event right before the payment is erased. The delivery's answer names the customer, and the proxy
/// loses the answer to the erasure's write.
private struct EventInBetween: ForwardingJournal {
    let target: any Journal
    let answers: LostAnswers

    func commit(_ change: Change) async throws(JournalError) -> CommitResult {
        let due = try await target.lease(
            DueEvent.self, of: nil, limit: 1, at: .wholeSecond + 5, until: .wholeSecond + 65)
        for event in due {
            let attempt = DeliveryAttempt(
                at: .wholeSecond + 6, result: .refused, endpoint: "https://shop", status: 500, milliseconds: 1,
                answer: "no order of a@b.c")
            try await target.end(event, as: .postponed(until: .wholeSecond + 60, attempt), at: .wholeSecond + 6)
        }
        if answers.lost == 0 { answers.loseNextAnswer() }
        return try await target.commit(change)
    }
}

/// One kind of write of a journal, and the state that it needs.
struct Write: Sendable, CustomStringConvertible {
    let description: String
    /// Whether the driver repeats the write. If not, the caller learns that the outcome is unknown.
    let isRepeated: Bool
    let prepare: @Sendable (SQLJournal) async throws -> Void
    /// Runs the write and returns its result in words.
    let run: @Sendable (SQLJournal) async throws(JournalError) -> String

    private init(
        _ description: String, isRepeated: Bool = true,
        after prepare: @escaping @Sendable (SQLJournal) async throws -> Void = {
            _ = try await $0.captured(event: [7])
        },
        _ run: @escaping @Sendable (SQLJournal) async throws(JournalError) -> String
    ) {
        self.description = description
        self.isRepeated = isRepeated
        self.prepare = prepare
        self.run = run
    }

    static let all = payments + events + beside

    private static let payments = [
        Write("claim", isRepeated: false, after: { _ in }) { journal async throws(JournalError) in
            "\(try await journal.claim(.sample("A", token: 1, key: "k")))"
        },
        Write("claim of a reference that was not sent", isRepeated: false, after: { try await $0.unsent() }) {
            journal async throws(JournalError) in
            "\(try await journal.claim(.sample("A", token: 1, key: "k")) == .written)"
        },
        Write("external payment", isRepeated: false, after: { _ in }) { journal async throws(JournalError) in
            let payment = Payment(
                merchantReference: "A", command: .purchase, amount: 7, currency: "AED", fingerprint: nil,
                appleTransactionIdentifier: nil, claimedAt: .wholeSecond, gateway: "fort", state: .captured,
                balance: Balance(captured: 7))
            let entry = HistoryEntry(at: .wholeSecond, state: .captured, balance: payment.balance)
            return "\(try await journal.record(payment, because: entry))"
        },
        Write("outcome of a charge", after: { _ = try await $0.claim(.sample("A", token: 1, key: "k")) }) {
            journal async throws(JournalError) in
            let entry = HistoryEntry(
                at: .wholeSecond, state: .captured, balance: Balance(captured: 9_999_999_999), event: [7])
            return "\(try await journal.transition("A", from: .processing, receipt: [1], because: entry))"
        },
        Write("charge that was not sent", after: { _ = try await $0.claim(.sample("A", token: 1, key: "k")) }) {
            journal async throws(JournalError) in
            let entry = HistoryEntry(at: .wholeSecond, state: .notSent)
            return "\(try await journal.transition("A", from: .processing, receipt: nil, because: entry))"
        },
        Write("begin of an operation") { journal async throws(JournalError) in
            guard let payment = try await journal.payment("A") else { return "no payment" }
            return "\(try await journal.commit(payment.refunding(key: nil)))"
        },
        Write("begin of an operation with a key") { journal async throws(JournalError) in
            guard let payment = try await journal.payment("A") else { return "no payment" }
            let isBegun = try await journal.commit(payment.refunding(key: "k"))
            return "\(isBegun) \(try await journal.use(ofKey: "k") == KeyUse(of: "A", operation: "1"))"
        },
        Write("operation that was not sent", after: { try await $0.refunding() }) {
            journal async throws(JournalError) in
            guard let payment = try await journal.payment("A") else { return "no payment" }
            let entry = HistoryEntry(at: .wholeSecond, state: payment.state, balance: payment.balance)
            return "\(try await journal.compareAndSet(payment, to: payment.without(), because: entry))"
        },
        Write("end of an operation", after: { try await $0.refunding() }) { journal async throws(JournalError) in
            guard let payment = try await journal.payment("A") else { return "no payment" }
            var done = payment
            done.version += 1
            done.operations[0].state = .done
            done.balance.refunded = 1
            done.state = .partiallyRefunded
            let entry = HistoryEntry(at: .wholeSecond, state: done.state, balance: done.balance, event: [8])
            return "\(try await journal.compareAndSet(payment, to: done, because: entry))"
        },
        Write("note of an operator") { journal async throws(JournalError) in
            guard let payment = try await journal.payment("A") else { return "no payment" }
            var noted = payment
            noted.version += 1
            noted.taken = Taken(by: "sara", at: .wholeSecond)
            let entry = HistoryEntry(at: .wholeSecond, state: payment.state, balance: payment.balance, note: "n")
            return "\(try await journal.compareAndSet(payment, to: noted, because: entry))"
        },
        Write("lease of a payment", isRepeated: false, after: { _ = try await $0.claim(.sample("A", token: 1)) }) {
            journal async throws(JournalError) in
            "\(try await journal.lease(Payment.self, of: "fort", limit: 1, at: .wholeSecond, until: .wholeSecond + 60).count)"
        },
        Write("end of a payment's lease", after: { _ = try await $0.claim(.sample("A", token: 1)) }) {
            journal async throws(JournalError) in
            guard let payment = try await journal.payment("A") else { return "no payment" }
            try await journal.end(payment, as: .postponed(until: .wholeSecond + 30), at: .wholeSecond)
            return ""
        },
    ]

    private static let attempt = DeliveryAttempt(
        at: .wholeSecond + 500, result: .refused, endpoint: "https://shop", milliseconds: 1, answer: "a")

    private static let events =
        [
            Write("lease of an event", isRepeated: false) { journal async throws(JournalError) in
                "\(try await journal.lease(DueEvent.self, of: nil, limit: 1, at: .wholeSecond, until: .wholeSecond + 60).count)"
            },
            Write("events sent again") { journal async throws(JournalError) in
                "\(try await journal.resendEvents(of: "A", since: .distantPast, at: .wholeSecond + 5))"
            },
            Write("failed events sent again", after: { try await $0.attempts(1, as: .deadLettered(nil)) }) {
                journal async throws(JournalError) in
                "\(try await journal.resendEvents(of: "A", since: nil, at: .wholeSecond + 5))"
            },
            Write("erasure") { journal async throws(JournalError) in
                guard let payment = try await journal.payment("A") else { return "no payment" }
                let erasure = Change(
                    from: payment, to: payment,
                    because: HistoryEntry(
                        at: .wholeSecond, state: payment.state, balance: payment.balance, kind: .erasure),
                    redaction: Change.Redaction(events: [2: [9]], lastNote: .max))
                return "\(try await journal.commit(erasure))"
            },
        ]
        + [
            ("acknowledged", DueEvent.End.acknowledged(attempt)),
            ("postponed", .postponed(until: .wholeSecond + 900, attempt)), ("dead-lettered", .deadLettered(attempt)),
        ].map { word, end in
            Write(
                "event that is \(word)",
                after: { try await $0.attempts(12, as: .postponed(until: .wholeSecond, nil)) }
            ) { journal async throws(JournalError) in
                let event = DueEvent(
                    merchantReference: "A", number: 2, at: .wholeSecond, attempt: 13, leasedUntil: .wholeSecond + 60,
                    recorded: [7])
                try await journal.end(event, as: end, at: .wholeSecond)
                guard let progress = try await journal.eventProgress(of: "A") else { return "no payment" }
                return "\(progress.attempts[2]?.newest.count ?? 0) of \(progress.attempts[2]?.count ?? 0)"
            }
        }

    private static let hint = GatewayHint(
        account: "aed", merchantReference: "A", subject: .charge(.purchase), statement: .captured, amount: 7,
        currency: "AED", gatewayReference: nil)

    private static let beside = [
        Write("query that changed nothing", isRepeated: false) { journal async throws(JournalError) in
            let query = QueryWithoutChange(
                afterEntry: 1, requester: .reconciler, answer: .unchanged, reason: nil, first: .wholeSecond,
                last: .wholeSecond, times: 1)
            try await journal.record(query, of: "A")
            return ""
        },
        Write("hint", isRepeated: false) { journal async throws(JournalError) in
            "\(try await journal.add(hint, of: "fort", kind: .direct, at: .wholeSecond, limit: 9))"
        },
        Write(
            "instance that stops",
            after: { journal in
                for instance in ["i", "j"] { try await journal.note(instance, at: .wholeSecond) }
            }
        ) { journal async throws(JournalError) in
            try await journal.forget("i")
            return ""
        },
    ]
}

extension SQLJournal {
    /// Makes a captured payment `A`.
    @discardableResult fileprivate func captured(event: [UInt8]? = nil) async throws -> Payment {
        _ = try await claim(.sample("A", token: 1))
        let entry = HistoryEntry(
            at: .wholeSecond, state: .captured, balance: Balance(captured: 9_999_999_999), event: event)
        #expect(try await transition("A", from: .processing, receipt: [1], because: entry))
        return try #require(try await payment("A"))
    }

    /// Makes a payment `A` that was not sent.
    fileprivate func unsent() async throws {
        _ = try await claim(.sample("A", token: 1, key: "k"))
        let entry = HistoryEntry(at: .wholeSecond, state: .notSent)
        #expect(try await transition("A", from: .processing, receipt: nil, because: entry))
    }

    /// Makes a captured payment `A` with an open refund that has the key `k`.
    fileprivate func refunding() async throws {
        let payment = try await captured(event: [7])
        #expect(try await commit(payment.refunding(key: "k")) == .written)
    }

    /// Makes `count` attempts to deliver the event of a captured payment `A`, each with the given end, and leases the event
    /// once more.
    fileprivate func attempts(_ count: Int, as end: DueEvent.End) async throws {
        _ = try await captured(event: [7])
        for number in 1...count + 1 {
            let until: Date = .wholeSecond + (number > count ? 60 : Double(number) / 100)
            let due = try await lease(DueEvent.self, of: nil, limit: 1, at: .wholeSecond, until: until)
            guard number <= count, let event = due.first else { return }
            switch end {
            case .postponed(let later, _):
                let attempt = DeliveryAttempt(
                    at: .wholeSecond + Double(number), result: .refused, endpoint: "https://shop", milliseconds: 1)
                try await self.end(event, as: .postponed(until: later, attempt), at: .wholeSecond)
            default: try await self.end(event, as: end, at: .wholeSecond)
            }
        }
    }
}

extension Payment {
    /// Returns the beginning of a refund. It has the same identifier each time.
    fileprivate func refunding(key: String?) -> Change {
        var begun = self
        begun.version += 1
        begun.operations.append(
            PaymentOperation(
                identifier: "1", command: .refund, amount: 1, maintenanceReference: nil, idempotencyKey: key,
                before: balance, begunAt: .wholeSecond))
        begun.lease = Lease(number: lease.number + 1, expiresAt: .wholeSecond + 60)
        let entry = HistoryEntry(at: .wholeSecond, state: state, balance: balance, reason: "begun")
        return Change(from: self, to: begun, because: entry)
    }

    /// Returns the payment without its operation, which was not sent.
    fileprivate func without() -> Payment {
        var ended = self
        ended.version += 1
        ended.operations.removeLast()
        return ended
    }
}

extension PostgresSchema {
    /// Returns every row of the journal, without the random numbers of changes.
    fileprivate func rows() throws -> [String] {
        try (Schema.tables.map(\.name) + ["instance"]).flatMap { table in
            try run(
                "SELECT '\(table) ' || CAST(to_jsonb(t) - 'change_identifier' AS text) AS row FROM \(table) AS t ORDER BY 1"
            ).map { try $0.text("row") }
        }
    }
}
