import Foundation
import PaymentRelay
import PayrelayPrimitives
import Testing

extension JournalPromise {
    /// Requests that a client repeats again and again while nothing can be sent.
    static let repeats: [JournalPromise] = [
        JournalPromise("S14: attempts at a payment that were not sent are counted, for any number of attempts") {
            journal async throws in
            for attempt in 0..<50 { try await attemptInVain(attempt, reason: "reason \(attempt)", in: journal) }
            let history = try await journal.history(of: "A")
            #expect(history.map(\.state) == [.processing, .notSent])
            #expect(history.map(\.times) == [50, 50])
            #expect(history.map(\.since) == [.wholeSecond, .wholeSecond + 1])
            #expect(history.map(\.at) == [.wholeSecond + 490, .wholeSecond + 491])
            #expect(history.last?.reason == "reason 49" && history.last?.requestIdentifier == "r49")
            // The numbering continues, and the next entry is added as usual, with its event and its queries.
            #expect(history.map(\.number) == [99, 100])
            #expect(try await journal.payment("A")?.version == 100)
            let claim = claim(50)
            #expect(try await journal.claim(claim) == .written)
            let captured = HistoryEntry(
                at: .wholeSecond + 501, state: .captured, balance: Balance(captured: 4_900), event: [7])
            #expect(try await journal.transition("A", from: .processing, receipt: [1], because: captured))
            let later = try await journal.history(of: "A")
            #expect(later.map(\.number) == [99, 100, 101, 102])
            #expect(later.map(\.times) == [50, 50, 1, 1])
            let due = try await journal.lease(
                DueEvent.self, of: nil, limit: 9, at: .wholeSecond + 600, until: .wholeSecond + 660)
            #expect(due.map(\.number) == [102] && due.map(\.recorded) == [[7]])
            let settled = try #require(try await journal.payment("A"))
            let erasure = Change(
                from: settled, to: settled,
                because: HistoryEntry(
                    at: .wholeSecond + 650, state: .captured, balance: settled.balance, kind: .erasure),
                redaction: Change.Redaction(events: [102: [8]], lastNote: .max))
            #expect(try await journal.commit(erasure) == .written)
            #expect(try await journal.history(of: "A").map(\.event) == [nil, nil, nil, [8], nil])
            try await journal.record(
                QueryWithoutChange(
                    afterEntry: 102, requester: .reconciler, answer: .unchanged, reason: nil, first: .wholeSecond + 700,
                    last: .wholeSecond + 700, times: 1), of: "A")
            let entries: [Int] = try await journal.queriesWithoutChange(of: "A").map { $0.afterEntry }
            #expect(entries == [102])
        },
        JournalPromise("S14: an operation that was not sent is counted with the same requester's operations before it")
        {
            journal async throws in
            let claim = Change.sample("A", token: 1)
            _ = try await journal.claim(claim)
            let captured = HistoryEntry(at: .wholeSecond, state: .captured, balance: Balance(captured: 4_900))
            #expect(try await journal.transition("A", from: .processing, receipt: [1], because: captured))
            for (number, source)
                in ([.client("shop"), .client("shop"), .operator("o"), .client("shop")]
                as [HistorySource]).enumerated()
            {
                for state in [PaymentOperation.State.processing, nil] {
                    let payment = try #require(try await journal.payment("A"))
                    var changed = payment
                    changed.version += 1
                    let words = state == nil ? "Refund \(number): not_sent, down" : "Refund \(number) begun"
                    let entry = HistoryEntry(
                        at: .wholeSecond + Double(number), state: .captured, balance: payment.balance,
                        source: state == nil ? .gatewayAnswer : source, kind: .refund,
                        operation: EntryOperation("operation \(number)", state), reason: words)
                    #expect(try await journal.compareAndSet(payment, to: changed, because: entry))
                }
            }
            let history = try await journal.history(of: "A")
            #expect(history.map(\.times) == [1, 1, 2, 2, 1, 1, 1, 1])
            #expect(
                history.dropFirst(2).map { $0.reason ?? "" } == [
                    "Refund 1 begun", "Refund 1: not_sent, down", "Refund 2 begun", "Refund 2: not_sent, down",
                    "Refund 3 begun", "Refund 3: not_sent, down",
                ])
            #expect(try await journal.payment("A")?.receipt == [1])
            #expect(history.map(\.operation?.identifier).suffix(2) == ["operation 3", "operation 3"])
        },
        JournalPromise("an attempt that was sent is not counted with attempts that were not, and keeps its entries") {
            journal async throws in
            try await attemptInVain(0, reason: "down", in: journal)
            let claim = claim(1)
            #expect(try await journal.claim(claim) == .written)
            let uncertain = HistoryEntry(at: .wholeSecond + 11, state: .uncertain)
            #expect(try await journal.transition("A", from: .processing, receipt: nil, because: uncertain))
            #expect(
                try await journal.history(of: "A").map(\.state) == [.processing, .notSent, .processing, .uncertain])
        },
    ]

    private static func claim(_ attempt: Int) -> Change {
        let sample = Change.sample("A", token: 1)
        var payment = sample.after
        payment = Payment(
            merchantReference: payment.merchantReference, command: payment.command, amount: payment.amount,
            currency: payment.currency, fingerprint: payment.fingerprint,
            appleTransactionIdentifier: payment.appleTransactionIdentifier,
            claimedAt: .wholeSecond + Double(10 * attempt), gateway: "fort", account: payment.account,
            client: payment.client)
        return Change(
            claiming: payment, token: sample.claimed?.token, idempotencyKey: nil,
            because: HistoryEntry(
                at: payment.claimedAt, state: .processing, source: .client(nil), kind: .claim,
                requestIdentifier: "r\(attempt)"))
    }

    private static func attemptInVain(_ attempt: Int, reason: String, in journal: any Journal) async throws {
        let claim = claim(attempt)
        #expect(try await journal.claim(claim) == .written)
        let unsent = HistoryEntry(
            at: claim.after.claimedAt + 1, state: .notSent, source: .gatewayAnswer, reason: reason,
            requestIdentifier: "r\(attempt)")
        #expect(try await journal.transition("A", from: .processing, receipt: nil, because: unsent))
    }
}
