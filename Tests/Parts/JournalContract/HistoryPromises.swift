import Foundation
import PaymentRelay
import PayrelayPrimitives
import Testing

extension JournalPromise {
    /// The sources of entries.
    static let sources: [JournalPromise] = [
        JournalPromise("each entry keeps its source, and one without a source has none") { journal async throws in
            let sources: [HistorySource] = [
                .client("shop"), .client(nil), .operator("<b>sara</b>"), .gatewayAnswer,
                .checkStatus(by: .reconciler),
                .checkStatus(by: .client("a b")), .checkStatus(by: .operator("omar")), .checkStatus(by: .commandLine),
                .checkStatus(by: .report), .checkStatus(by: .notification(.direct)),
                .checkStatus(by: .notification(.notification)), .recovery, .retention,
                .commandLine,
            ]
            for (number, source) in sources.enumerated() {
                let claim = Change.sample("\(number)", token: number)
                let entry = HistoryEntry(at: .wholeSecond, state: .processing, source: source)
                #expect(
                    try await journal.claim(
                        Change(claiming: claim.after, token: claim.claimed?.token, idempotencyKey: nil, because: entry))
                        == .written)
                let captured = HistoryEntry(at: .wholeSecond, state: .captured, source: source)
                #expect(try await journal.transition("\(number)", from: .processing, receipt: nil, because: captured))
                let payment = try #require(try await journal.payment("\(number)"))
                #expect(try await journal.compareAndSet(payment, to: payment, because: captured))
                #expect(try await journal.history(of: "\(number)").map(\.source) == [source, source, source])
            }
        },
        JournalPromise("a claim after one that was not sent keeps its source, and so does an external payment") {
            journal async throws in
            #expect(try await journal.claim(.sample("A", token: 1)) == .written)
            let notSent = HistoryEntry(at: .wholeSecond, state: .notSent, source: .gatewayAnswer)
            #expect(try await journal.transition("A", from: .processing, receipt: nil, because: notSent))
            let claim = Change.sample("A", token: 1, at: .wholeSecond + 1)
            let entry = HistoryEntry(at: .wholeSecond + 1, state: .processing, source: .client("shop"))
            #expect(
                try await journal.claim(
                    Change(claiming: claim.after, token: claim.claimed?.token, idempotencyKey: nil, because: entry))
                    == .written)
            #expect(
                try await journal.history(of: "A").map(\.source) == [.client(nil), .gatewayAnswer, .client("shop")])

            let payment = Payment(
                merchantReference: "E", command: .purchase, amount: 5, currency: "AED", fingerprint: nil,
                appleTransactionIdentifier: nil, claimedAt: .wholeSecond, gateway: "fort", state: .captured)
            let told = HistoryEntry(
                at: .wholeSecond, state: .captured, source: .checkStatus(by: .notification(.direct)))
            #expect(try await journal.record(payment, because: told))
            #expect(try await journal.history(of: "E").map(\.source) == [.checkStatus(by: .notification(.direct))])
        },
    ]

    /// Queries that changed nothing.
    static let questions: [JournalPromise] = [
        JournalPromise("queries without a change are counted by requester and by the entry that they followed") {
            journal async throws in
            let start = Date.wholeSecond
            #expect(try await journal.claim(.sample("A", token: 1)) == .written)
            #expect(try await journal.claim(.sample("B", token: 2)) == .written)
            try await journal.record(.sample(1, .reconciler, .unanswered, "timeout", at: start + 1), of: "A")
            try await journal.record(.sample(1, .reconciler, .open, "on\0hold", at: start + 9), of: "A")
            try await journal.record(.sample(1, .operator("<sara>"), .notSent, nil, at: start + 5), of: "A")
            let uncertain = HistoryEntry(at: start + 10, state: .uncertain)
            #expect(try await journal.transition("A", from: .processing, receipt: nil, because: uncertain))
            try await journal.record(.sample(2, .client("shop"), .unchanged, nil, at: start + 11), of: "A")
            // This answer belongs to a query that was sent before the change.
            try await journal.record(.sample(1, .reconciler, .open, "late", at: start + 12), of: "A")
            let before = try #require(try await journal.payment("A"))
            #expect(
                try await journal.queriesWithoutChange(of: "A") == [
                    QueryWithoutChange(
                        afterEntry: 1, requester: .reconciler, answer: .open, reason: "late", first: start + 1,
                        last: start + 12, times: 3),
                    .sample(1, .operator("<sara>"), .notSent, nil, at: start + 5),
                    .sample(2, .client("shop"), .unchanged, nil, at: start + 11),
                ])
            #expect(try await journal.queriesWithoutChange(of: "B").isEmpty)
            try await journal.record(.sample(1, .report, .implausible, nil, at: start + 13), of: "B")
            let both = try await journal.queriesWithoutChange(of: ["B", "none", "A", "B"])
            #expect(both.mapValues(\.count) == ["A": 3, "B": 1])
            #expect(both["B"] == [.sample(1, .report, .implausible, nil, at: start + 13)])
            #expect(try await journal.queriesWithoutChange(of: []).isEmpty)
            // The payment itself is unchanged.
            #expect(before.version == 2)
            #expect(try await journal.history(of: "A").count == 2)
        },
        JournalPromise("a query about an unknown payment or entry is not counted") { journal async throws in
            try await journal.record(.sample(1, .reconciler, .open, nil, at: .wholeSecond), of: "none")
            #expect(try await journal.claim(.sample("A", token: 1)) == .written)
            for number in [-1, 0, 2, .max] {
                try await journal.record(.sample(number, .reconciler, .open, nil, at: .wholeSecond), of: "A")
            }
            #expect(try await journal.queriesWithoutChange(of: "none").isEmpty)
            #expect(try await journal.queriesWithoutChange(of: "A").isEmpty)
        },
        JournalPromise("of many requesters' queries the newest are kept") { journal async throws in
            #expect(try await journal.claim(.sample("A", token: 1)) == .written)
            let requesters = 3 * QueryWithoutChange.requestersKept
            for number in 0..<requesters {
                try await journal.record(
                    .sample(1, .operator("o\(number)"), .open, nil, at: .wholeSecond + Double(number)), of: "A")
                try await journal.record(
                    .sample(1, .reconciler, .open, nil, at: .wholeSecond + Double(number) + 0.5), of: "A")
            }
            let kept = try await journal.queriesWithoutChange(of: "A")
            #expect(kept.count == QueryWithoutChange.requestersKept)
            #expect(kept.first { $0.requester == .reconciler }?.times == requesters)
            #expect(kept.contains { $0.requester == .operator("o\(requesters - 1)") })
        },
        JournalPromise("a long reason is cut to its limit, between whole characters") { journal async throws in
            #expect(try await journal.claim(.sample("A", token: 1)) == .written)
            let reason = String(repeating: "ä\u{1F600}", count: 100_000)
            let query = QueryWithoutChange.sample(1, .reconciler, .open, reason, at: .wholeSecond)
            try await journal.record(query, of: "A")
            let stored = try #require(try await journal.queriesWithoutChange(of: "A").first?.reason)
            #expect(stored == query.reason && stored.utf8.count == 500 && reason.hasPrefix(stored))
        },
    ]

    /// Attempts to deliver events.
    static let deliveries: [JournalPromise] = [
        JournalPromise("a delivery attempt is kept with its result, and the events' progress is known") {
            journal async throws in
            let start = Date.wholeSecond
            try await journal.settle("A")
            #expect(try await journal.eventProgress(of: "none") == nil)
            #expect(
                try await journal.eventProgress(of: "A") == EventProgress(acknowledged: 1, dueAt: start, attempts: [:]))
            let first = try #require(
                try await journal.lease(DueEvent.self, of: nil, limit: 1, at: start, until: start + 60).first)
            let refused = DeliveryAttempt(
                at: start + 1, result: .refused, endpoint: "https://shop.example/events", status: 500,
                milliseconds: 12, answer: "<b>no</b>\n\u{202E}", nextAt: start + 2)
            try await journal.postpone(first, until: start + 2, after: refused)
            let second = try #require(
                try await journal.lease(DueEvent.self, of: nil, limit: 1, at: start + 2, until: start + 62).first)
            let unanswered = DeliveryAttempt(
                at: start + 3, result: .unanswered, endpoint: "https://shop.example/events", error: "timeout",
                milliseconds: 15_000)
            try await journal.postpone(second, until: nil, after: unanswered)
            #expect(
                try await journal.eventProgress(of: "A")
                    == EventProgress(
                        acknowledged: 1, isDeadLettered: true,
                        attempts: [2: .init(count: 2, newest: [refused, unanswered])]))
            #expect(try await journal.resendEvents(of: "A", since: .distantPast, at: start + 9))
            let third = try #require(
                try await journal.lease(DueEvent.self, of: nil, limit: 1, at: start + 9, until: start + 69).first)
            #expect(third.attempt == 1)
            let acknowledged = DeliveryAttempt(
                at: start + 10, result: .acknowledged, endpoint: "https://shop.example/events", status: 204,
                milliseconds: 0)
            try await journal.acknowledge(third, at: start + 10, after: acknowledged)
            let attempts = EventProgress.Attempts(count: 3, newest: [refused, unanswered, acknowledged])
            let progress = EventProgress(acknowledged: 2, attempts: [2: attempts])
            #expect(try await journal.eventProgress(of: "A") == progress)
        },
        JournalPromise("an attempt is kept after its lease expired, and an end without an attempt adds none") {
            journal async throws in
            try await journal.settle("A")
            let start = Date.wholeSecond
            let late = try #require(
                try await journal.lease(DueEvent.self, of: nil, limit: 1, at: start, until: start + 5).first)
            let held = try #require(
                try await journal.lease(DueEvent.self, of: nil, limit: 1, at: start + 5, until: start + 10).first)
            try await journal.acknowledge(late, at: start + 6, after: .sample(at: start + 1))
            try await journal.postpone(held, until: nil, after: nil)
            let progress = try #require(try await journal.eventProgress(of: "A"))
            #expect(progress.isDeadLettered && progress.acknowledged < 2)
            #expect(progress.attempts == [2: .init(count: 1, newest: [.sample(at: start + 1)])])
        },
        JournalPromise("of many delivery attempts the newest are kept, and all are counted") { journal async throws in
            try await journal.settle("A")
            let attempts = 4 * DeliveryAttempt.kept
            for number in 0..<attempts {
                let moment = Date.wholeSecond + Double(number)
                let due = try #require(
                    try await journal.lease(DueEvent.self, of: nil, limit: 1, at: moment, until: moment + 0.5).first)
                try await journal.postpone(due, until: moment + 1, after: .sample(at: moment))
            }
            let progress = try #require(try await journal.eventProgress(of: "A"))
            #expect(
                progress.attempts == [
                    2: .init(
                        count: attempts,
                        newest: (attempts - DeliveryAttempt.kept..<attempts).map {
                            .sample(at: .wholeSecond + Double($0))
                        })
                ])
        },
        JournalPromise(
            "S1: an erasure removes the answers of delivery attempts, and later attempts are kept without one"
        ) {
            journal async throws in
            try await journal.settle("A")
            let start = Date.wholeSecond
            let due = try #require(
                try await journal.lease(DueEvent.self, of: nil, limit: 1, at: start, until: start + 60).first)
            try await journal.postpone(due, until: start + 1, after: .sample(at: start, answer: "sara@example.com"))
            #expect(try await journal.eraseCustomerData(of: "A", at: start + 1, knowing: .sample))
            #expect(
                try await journal.eventProgress(of: "A")?.attempts == [2: .init(count: 1, newest: [.sample(at: start)])]
            )
            let again = try #require(
                try await journal.lease(DueEvent.self, of: nil, limit: 1, at: start + 1, until: start + 61).first)
            try await journal.postpone(again, until: nil, after: .sample(at: start + 2, answer: "sara@example.com"))
            #expect(
                try await journal.eventProgress(of: "A")?.attempts == [
                    2: .init(count: 2, newest: [.sample(at: start), .sample(at: start + 2)])
                ])
            #expect(try await journal.history(of: "A").last?.source == .commandLine)
        },
        JournalPromise("S1: an erasure that keeps a younger note keeps the delivery attempts without their answers") {
            journal async throws in
            try await journal.settle("A")
            let start = Date.wholeSecond
            let payment = try #require(try await journal.payment("A"))
            let note = HistoryEntry(at: start + 10, state: .captured, note: "Sara called")
            #expect(try await journal.compareAndSet(payment, to: payment, because: note))
            for round in 1...3 {
                let moment = start + Double(20 * round)
                #expect(
                    try await journal.eraseCustomerData(
                        of: "A", keepingNotesSince: start + 5, at: moment, knowing: .sample))
                let attempts = try await journal.eventProgress(of: "A")?.attempts[2] ?? .init()
                #expect(attempts.count == round - 1)
                #expect(attempts.newest == (1..<round).map { DeliveryAttempt.sample(at: start + Double(20 * $0)) })
                let due = try #require(
                    try await journal.lease(DueEvent.self, of: nil, limit: 1, at: moment, until: moment + 10).first)
                try await journal.postpone(due, until: moment + 1, after: .sample(at: moment, answer: "Sara"))
                #expect(try await journal.eventProgress(of: "A")?.attempts[2]?.newest.last?.answer == "Sara")
            }
            #expect(try await journal.history(of: "A").map(\.kind).suffix(3) == [.erasure, .erasure, .erasure])
        },
    ]
}

extension QueryWithoutChange {
    fileprivate static func sample(
        _ entry: Int, _ requester: StatusRequester, _ answer: Answer, _ reason: String?, at moment: Date
    ) -> QueryWithoutChange {
        QueryWithoutChange(
            afterEntry: entry, requester: requester, answer: answer, reason: reason, first: moment, last: moment,
            times: 1)
    }
}

extension DeliveryAttempt {
    fileprivate static func sample(at moment: Date, answer: String? = nil) -> DeliveryAttempt {
        DeliveryAttempt(
            at: moment, result: .refused, endpoint: "https://shop.example/events", status: 503, milliseconds: 7,
            answer: answer, nextAt: moment + 1)
    }
}

extension Journal {
    /// Makes a payment whose second entry has an event.
    fileprivate func settle(_ reference: String) async throws {
        #expect(try await claim(.sample(reference, token: 1)) == .written)
        let entry = HistoryEntry(at: .wholeSecond, state: .captured, event: [1])
        #expect(try await transition(reference, from: .processing, receipt: nil, because: entry))
    }
}
