import Foundation
import PaymentRelay
import PayrelayPrimitives
import Testing

extension JournalPromise {
    static let operations: [JournalPromise] = [
        JournalPromise("an operation is stored with its payment, byte for byte") { journal async throws in
            let captured = try await settled("A", in: journal)
            let entry = HistoryEntry(
                at: .wholeSecond + 1, state: .authorized, reason: "begun", requestIdentifier: "r-2")
            var expected = captured.beginning(key: "k")
            #expect(try await journal.compareAndSet(captured, to: expected, because: entry))
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
            // The payment has nothing open, so it has no lease.
            done.lease = Lease(number: 0, expiresAt: done.claimedAt)
            #expect(try await journal.payment("A") == done)
            #expect(try await journal.history(of: "A").last == end)
        },
        JournalPromise("a change writes nothing over another change") { journal async throws in
            let read = try await settled("A", in: journal)
            let begun = read.beginning()
            let entry = HistoryEntry(at: .wholeSecond, state: .authorized)
            #expect(try await journal.commit(Change(from: read, to: begun, because: entry)) == .written)
            #expect(try await journal.commit(Change(from: read, to: begun, because: entry)) == .versionChanged)
            #expect(try await journal.history(of: "A").count == 3)
        },
        outcomeAfterTakeover,
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
        JournalPromise("R1: the key of an operation belongs to it until the operation was not sent") {
            journal async throws in
            let read = try await settled("A", in: journal)
            _ = try await journal.claim(.ofStoredCard("B", key: "charge"))
            let entry = HistoryEntry(at: .wholeSecond, state: .authorized)
            let taken = read.beginning(key: "charge")
            #expect(try await !journal.compareAndSet(read, to: taken, because: entry))
            let begun = read.beginning(key: "k")
            #expect(try await journal.compareAndSet(read, to: begun, because: entry))
            let use = KeyUse(of: "A", operation: try #require(begun.operations.last).identifier)
            #expect(try await journal.use(ofKey: "k") == use)
            #expect(try await journal.use(ofKey: "charge") == KeyUse(of: "B"))
            for claim in [
                Change.ofStoredCard("C", key: "k"), .sample("C", token: 3, key: "k"), .sample("A", token: 1, key: "k"),
            ] {
                #expect(try await journal.claim(claim) == .keyTaken)
            }
            #expect(try await journal.payment("C") == nil)
            // Nothing was sent: the operation is removed, and its key is free again.
            let open = try #require(try await journal.payment("A"))
            #expect(try await journal.compareAndSet(open, to: open.ending(), because: entry))
            #expect(try await journal.use(ofKey: "k") == nil)
            #expect(try await journal.claim(.ofStoredCard("C", key: "k")) == .written)
            // Another operation with another key ends as done, and keeps the key. The charge's key never changes.
            let again = try #require(try await journal.payment("A"))
            #expect(try await journal.compareAndSet(again, to: again.beginning(key: "l"), because: entry))
            var done = try #require(try await journal.payment("A"))
            let before = done
            done.operations[0].state = .done
            #expect(try await journal.compareAndSet(before, to: done, because: entry))
            #expect(try await journal.use(ofKey: "l") == KeyUse(of: "A", operation: done.operations[0].identifier))
            #expect(try await journal.use(ofKey: "charge") == KeyUse(of: "B"))
        },
        JournalPromise("R1: of simultaneous operations and claims with one key, one is written") {
            journal async throws in
            var payments: [Payment] = []
            for number in 0..<10 { payments.append(try await settled("A\(number)", token: number, in: journal)) }
            let written = try await withThrowingTaskGroup(of: Bool.self) { group in
                for (number, payment) in payments.enumerated() {
                    group.addTask {
                        let entry = HistoryEntry(at: .wholeSecond, state: .authorized)
                        return try await journal.compareAndSet(payment, to: payment.beginning(key: "k"), because: entry)
                    }
                    group.addTask {
                        try await journal.claim(.sample("B\(number)", token: 100 + number, key: "k")) == .written
                    }
                }
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(written == 1)
            let use = try #require(try await journal.use(ofKey: "k"))
            let holder = try #require(try await journal.payment(use.merchantReference))
            #expect(holder.operations.map(\.identifier) == (use.operation.map { [$0] } ?? []))
            var count = 0
            for number in 0..<10 {
                count += try await journal.payment("A\(number)")?.operations.count ?? 0
                count += try await journal.payment("B\(number)") == nil ? 0 : 1
            }
            #expect(count == 1)
        },
        JournalPromise(
            "R5: a change that is committed again is written once, and another change with the same content is not"
        ) {
            journal async throws in
            let read = try await settled("A", in: journal)
            let begun = Change(
                from: read, to: read.beginning(key: "k"),
                because: HistoryEntry(at: .wholeSecond, state: .authorized, event: [1]))
            for _ in 0..<3 { #expect(try await journal.commit(begun) == .written) }
            let twin = Change(from: begun.before, to: begun.after, because: begun.entry)
            #expect(try await journal.commit(twin) == .versionChanged)
            let payment = try #require(try await journal.payment("A"))
            #expect(payment.version == read.version + 1 && payment.operations == begun.after.operations)
            // Later changes do not hide the operation.
            var noted = payment
            noted.version += 1
            let note = HistoryEntry(at: .wholeSecond, state: .authorized, note: "n")
            #expect(try await journal.compareAndSet(payment, to: noted, because: note))
            #expect(try await journal.commit(begun) == .written)
            #expect(try await journal.history(of: "A").map(\.event) == [nil, nil, [1], nil])
        },
        JournalPromise("R5: a charge's outcome that is committed again moves money once in the books") {
            journal async throws in
            let claim = Change.sample("A", token: 1)
            _ = try await journal.claim(claim)
            var captured = claim.after
            captured.state = .captured
            captured.balance = Balance(captured: captured.amount)
            let entry = HistoryEntry(at: .wholeSecond, state: .captured, balance: captured.balance)
            let change = Change(from: claim.after, to: captured, because: entry)
            for _ in 0..<3 { #expect(try await journal.commit(change) == .written) }
            #expect(try await journal.history(of: "A").count == 2)
            let start = MovementCursor(start: .distantPast)
            #expect(try await journal.movements(until: .distantFuture, after: start, limit: 9).movements.count == 1)
        },
    ]

    /// The number of a lease fences the lease, and not the outcome of the payment. A slow instance whose lease was taken over
    /// has an outcome that the gateway proved. If the payment has not changed, the outcome is true, and dropping it would make
    /// the customer wait for the next query. A later change by the new holder of the lease meets another version, and the new
    /// holder reads the payment again.
    private static let outcomeAfterTakeover = JournalPromise(
        "R17: an outcome is written after the lease was taken over, and the new holder writes nothing over it"
    ) { journal async throws in
        let read = try await settled("A", in: journal)
        let entry = HistoryEntry(at: .wholeSecond, state: .authorized)
        #expect(try await journal.compareAndSet(read, to: read.beginning(), because: entry))
        let slow = try #require(try await journal.payment("A"))
        let leased = try #require(
            try await journal.lease(Payment.self, limit: 1, at: .wholeSecond + 90, until: .wholeSecond + 120).first)
        #expect(leased.merchantReference == "A" && leased.lease.number == slow.lease.number + 1)
        var done = slow
        done.operations[0].state = .done
        done.balance = Balance(captured: 5)
        done.state = .partiallyCaptured
        let outcome = HistoryEntry(at: .wholeSecond + 91, state: done.state, balance: done.balance)
        #expect(try await journal.commit(Change(from: slow, to: done, because: outcome)) == .written)
        var interrupted = leased
        interrupted.operations[0].state = .uncertain
        #expect(
            try await journal.commit(Change(from: leased, to: interrupted, because: entry)) == .versionChanged)
        // The new holder gives its lease up without effect, because nothing is open any more.
        try await journal.end(leased, as: .postponed(until: .wholeSecond + 100), at: .wholeSecond + 95)
        #expect(try await journal.openPayments(limit: 9) == [])
        #expect(try await journal.payment("A")?.balance == Balance(captured: 5))
        #expect(try await journal.history(of: "A").count == 4)
    }

    /// Makes an authorized payment, and returns it as the journal has it.
    private static func settled(
        _ reference: String, token: Int = 1, in journal: any Journal
    ) async throws -> Payment {
        _ = try await journal.claim(.sample(reference, token: token))
        _ = try await journal.transition(
            reference, from: .processing, receipt: [1], because: HistoryEntry(at: .wholeSecond, state: .authorized))
        return try #require(try await journal.payment(reference))
    }
}

extension Payment {
    /// Returns the payment with a capture begun, leased for a minute.
    fileprivate func beginning(key: String? = nil) -> Payment {
        var begun = self
        begun.version += 1
        begun.operations.append(
            PaymentOperation(
                command: .capture, amount: 5, requestedAmount: 5, maintenanceReference: "m-1", idempotencyKey: key,
                before: balance,
                begunAt: .wholeSecond))
        begun.lease = Lease(number: lease.number + 1, expiresAt: .wholeSecond + 60)
        return begun
    }

    /// Returns the payment without the operation, which was not sent.
    fileprivate func ending() -> Payment {
        var ended = self
        ended.version += 1
        ended.operations.removeLast()
        return ended
    }
}
