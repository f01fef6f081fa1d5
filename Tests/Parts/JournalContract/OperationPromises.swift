import PayrelayPrimitives
import Foundation
import PaymentRelay
import Testing

extension JournalPromise {
    static let operations: [JournalPromise] = [
        JournalPromise("an operation is stored with its payment, byte for byte") { journal async throws in
            let captured = try await settled("A", in: journal)
            let entry = HistoryEntry(
                at: .wholeSecond + 1, state: .authorized, reason: "begun", requestIdentifier: "r-2")
            #expect(try await journal.compareAndSet(captured, to: captured.beginning(), because: entry))
            var expected = captured.beginning()
            expected.version = 3
            #expect(try await journal.payment("A") == expected)
            #expect(try await journal.history(of: "A").last == entry)

            var done = expected
            done.operations[0].state = .done
            done.operations[0].receipt = Array(#"{"a":"\u0000\"支付"}"#.utf8)
            done.state = .partiallyCaptured
            done.balance = Balance(captured: 5)
            let end = HistoryEntry(at: .wholeSecond + 2, state: .partiallyCaptured, balance: done.balance)
            #expect(try await journal.compareAndSet(expected, to: done, because: end))
            done.version = 4
            #expect(try await journal.payment("A") == done)
            #expect(try await journal.history(of: "A").last == end)
        },
        JournalPromise("compareAndSet writes nothing over another write or another lease") {
            journal async throws in
            let read = try await settled("A", in: journal)
            let begun = read.beginning()
            let entry = HistoryEntry(at: .wholeSecond, state: .authorized)
            #expect(try await journal.compareAndSet(read, to: begun, because: entry))
            #expect(try await !journal.compareAndSet(read, to: begun, because: entry))
            let known = try #require(try await journal.payment("A"))
            let leased = try await journal.lease(
                Payment.self, limit: 1, at: .wholeSecond + 90, until: .wholeSecond + 120)
            #expect(leased.map(\.merchantReference) == ["A"])
            #expect(try await !journal.compareAndSet(known, to: begun, because: entry))
            #expect(try await journal.history(of: "A").count == 3)
        },
        JournalPromise("a payment is open while an operation on it is, and is leased like any other") {
            journal async throws in
            let read = try await settled("A", in: journal)
            #expect(try await journal.openPayments(limit: 9) == [])
            let entry = HistoryEntry(at: .wholeSecond, state: .authorized)
            #expect(try await journal.compareAndSet(read, to: read.beginning(), because: entry))
            let open = try #require(try await journal.openPayments(limit: 9).first)
            #expect(open.openOperation?.command == .capture)
            #expect(
                try await journal.lease(Payment.self, limit: 9, at: .wholeSecond + 59, until: .wholeSecond + 120) == [])
            let leased = try #require(
                try await journal.lease(Payment.self, limit: 9, at: .wholeSecond + 60, until: .wholeSecond + 120).first)
            #expect(leased.lease.number == open.lease.number + 1)
            var done = leased
            done.operations[0].state = .done
            #expect(try await journal.compareAndSet(leased, to: done, because: entry))
            #expect(try await journal.openPayments(limit: 9) == [])
            #expect(
                try await journal.lease(Payment.self, limit: 9, at: .wholeSecond + 500, until: .wholeSecond + 600) == []
            )
        },
        JournalPromise("R1: of many operations begun at once, one is written") { journal async throws in
            let read = try await settled("A", in: journal)
            let begun = try await withThrowingTaskGroup { group in
                for number in 0..<100 {
                    group.addTask {
                        let entry = HistoryEntry(at: .wholeSecond, state: .authorized, reason: "\(number)")
                        return try await journal.compareAndSet(read, to: read.beginning(), because: entry)
                    }
                }
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(begun == 1)
            #expect(try await journal.history(of: "A").count == 3)
        },
    ]

    /// An authorized payment, as the journal has it.
    private static func settled(_ reference: String, in journal: any Journal) async throws -> Payment {
        _ = try await journal.claim(.sample(reference, token: 1))
        _ = try await journal.transition(
            reference, from: .processing, receipt: [1], because: HistoryEntry(at: .wholeSecond, state: .authorized))
        return try #require(try await journal.payment(reference))
    }
}

extension Payment {
    /// With a capture begun, leased for a minute.
    fileprivate func beginning() -> Payment {
        var begun = self
        begun.operations.append(
            PaymentOperation(
                command: .capture, amount: 5, maintenanceReference: "m-1", idempotencyKey: "reference m-1",
                before: balance,
                begunAt: .wholeSecond))
        begun.lease = Lease(number: lease.number + 1, expiresAt: .wholeSecond + 60)
        return begun
    }
}
