import Foundation
import PaymentRelay
import PayrelayPrimitives
import Testing

extension JournalPromise {
    static let leases: [JournalPromise] = [
        JournalPromise("a claim leases its payment until the lease expires") { journal async throws in
            let claim = Change.sample("A", token: 1, leasedFor: .seconds(30))
            _ = try await journal.claim(claim)
            let expiry = Date.wholeSecond + 30
            #expect(try await journal.lease(Payment.self, limit: 10, at: expiry - 1, until: expiry + 30) == [])
            var leased = claim.after
            leased.lease = Lease(number: 1, expiresAt: expiry + 30)
            #expect(try await journal.lease(Payment.self, limit: 10, at: expiry, until: expiry + 30) == [leased])
            #expect(try await journal.payment("A") == leased)
        },
        JournalPromise("R7: a leased payment is not leased again until the lease expires") { journal async throws in
            _ = try await journal.claim(.sample("A", token: 1))
            let start = Date.wholeSecond
            #expect(
                try await journal.lease(Payment.self, limit: 10, at: start, until: start + 60).map(\.lease.number) == [
                    1
                ])
            #expect(try await journal.lease(Payment.self, limit: 10, at: start + 59, until: start + 120) == [])
            #expect(
                try await journal.lease(Payment.self, limit: 10, at: start + 60, until: start + 120).map(\.lease.number)
                    == [2])
        },
        JournalPromise("R15: a gateway's lease returns only its own open payments") { journal async throws in
            for (number, gateway) in ["fort", "portmone", "fort"].enumerated() {
                _ = try await journal.claim(.sample("\(number)", token: number, gateway: gateway))
            }
            let start = Date.wholeSecond
            for (gateway, references) in [("none", []), ("portmone", ["1"]), ("fort", ["0", "2"]), ("fort", [])] {
                let leased = try await journal.lease(
                    Payment.self, of: gateway, limit: 10, at: start, until: start + 60)
                #expect(Set(leased.map(\.merchantReference)) == Set(references), "\(gateway)")
            }
        },
        JournalPromise(
            "R5: after the clock was set back, open payments and waiting events are due at once, and overdue"
        ) {
            journal async throws in
            let (now, ahead) = (Date.wholeSecond, Date.wholeSecond + 31_536_000)
            for (number, reference) in ["A", "B", "C"].enumerated() {
                let moment = ahead - Double(number)
                _ = try await journal.claim(.sample(reference, token: number, at: moment, leasedFor: .seconds(60)))
            }
            let entry = HistoryEntry(at: ahead, state: .captured, event: [1])
            #expect(try await journal.transition("A", from: .processing, receipt: nil, because: entry))
            #expect(try await journal.add(.sample("A"), kind: .direct, at: ahead, limit: 9))
            let summary = try await journal.summary(notOverdueIn: now.within(.seconds(900)))
            #expect(summary.payments == OpenSummary(count: 2, oldest: ahead - 2, overdue: 2))
            _ = try await journal.claim(.sample("D", token: 9, at: now))
            // The payment that is due by this clock goes first, and no more payments are leased than requested.
            for references in [["D"], ["C"], ["B"], []] {
                let leased = try await journal.lease(Payment.self, limit: 1, at: now, until: now + 60)
                #expect(leased.map(\.merchantReference) == references)
            }
            for count in [1, 0] {
                #expect(
                    try await journal.lease(DueEvent.self, of: nil, limit: 9, at: now, until: now + 60).count == count)
                #expect(try await journal.lease(PendingHint.self, limit: 9, at: now, until: now + 60).count == count)
            }
            // A payment whose lease expires at the latest possible time is not due.
            let lease = try #require(try await journal.payment("D")).lease
            try await journal.release("D", lease, at: now + Payment.longestLease)
            #expect(try await journal.lease(Payment.self, limit: 9, at: now, until: now + 60) == [])
        },
        JournalPromise("only its holder ends a lease, at once or for a later time") {
            journal async throws in
            _ = try await journal.claim(.sample("A", token: 1))
            let start = Date.wholeSecond
            _ = try await journal.lease(Payment.self, limit: 1, at: start, until: start + 60)
            try await journal.release("A", Lease(number: 0, expiresAt: start), at: start)
            try await journal.release("A", Lease(number: 1, expiresAt: start + 59), at: start)
            try await journal.release("none", Lease(number: 1, expiresAt: start + 60), at: start)
            #expect(try await journal.lease(Payment.self, limit: 1, at: start, until: start + 60) == [])
            try await journal.release("A", Lease(number: 1, expiresAt: start + 60), at: start + 5)
            #expect(try await journal.lease(Payment.self, limit: 1, at: start + 4, until: start + 60) == [])
            #expect(
                try await journal.lease(Payment.self, limit: 1, at: start + 5, until: start + 60).map(\.lease.number)
                    == [2])
        },
        JournalPromise("the holder of an earlier claim does not end the lease of a later claim") {
            journal async throws in
            let start = Date.wholeSecond
            _ = try await journal.claim(.sample("A", token: 1, leasedFor: .seconds(30)))
            _ = try await journal.transition(
                "A", from: .processing, receipt: nil, because: HistoryEntry(at: start, state: .notSent))
            _ = try await journal.claim(.sample("A", token: 1, leasedFor: .seconds(40)))
            try await journal.release("A", Lease(number: 0, expiresAt: start + 30), at: start)
            #expect(try await journal.payment("A")?.lease == Lease(number: 0, expiresAt: start + 40))
        },
        JournalPromise("settled payments are not leased, open ones are, the longest expired first") {
            journal async throws in
            for (place, reference) in ["C", "A", "B", "D", "E"].enumerated() {
                let lease = Duration.seconds(10 - place)
                _ = try await journal.claim(.sample(reference, token: place, leasedFor: lease))
            }
            for (reference, state) in [("A", PaymentState.captured), ("E", .notSent), ("B", .uncertain)] {
                _ = try await journal.transition(
                    reference, from: .processing, receipt: nil, because: HistoryEntry(at: .wholeSecond, state: state))
            }
            let later = Date.wholeSecond + 60
            #expect(try await journal.lease(Payment.self, limit: 0, at: later, until: later + 60) == [])
            let first = try await journal.lease(Payment.self, limit: 2, at: later, until: later + 60)
            #expect(Set(first.map(\.merchantReference)) == ["D", "B"])
            #expect(
                try await journal.lease(Payment.self, limit: 2, at: later, until: later + 60).map(\.merchantReference)
                    == ["C"])
        },
        JournalPromise(
            "a transition keeps the lease, and a slow holder's transition writes nothing once the state has changed"
        ) {
            journal async throws in
            _ = try await journal.claim(.sample("A", token: 1))
            let start = Date.wholeSecond
            let taken = try #require(
                try await journal.lease(Payment.self, limit: 1, at: start, until: start + 60).first)
            #expect(
                try await journal.transition(
                    "A", from: .processing, receipt: [1], because: HistoryEntry(at: start, state: .uncertain)))
            #expect(try await journal.payment("A")?.lease == taken.lease)
            #expect(
                try await !journal.transition(
                    "A", from: .processing, receipt: [2], because: HistoryEntry(at: start, state: .captured)))
            #expect(try await journal.payment("A")?.receipt == [1])
        },
        JournalPromise("R7: if many instances lease payments at once, no payment is leased twice") {
            journal async throws in
            let count = 60
            for number in 0..<count { _ = try await journal.claim(.sample("\(number)", token: number)) }
            let leased = try await withThrowingTaskGroup { group in
                for _ in 0..<20 {
                    group.addTask {
                        var mine: [String] = []
                        let start = Date.wholeSecond
                        // A lease that returns nothing may only have met other sessions that hold the same rows.
                        for _ in 0..<20 {
                            mine += try await journal.lease(Payment.self, limit: 2, at: start, until: start + 60)
                                .map(\.merchantReference)
                        }
                        return mine
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            #expect(leased.count == count)
            #expect(Set(leased).count == count)
        },
    ]
}

extension Journal {
    /// Ends a lease of a payment, whoever holds it now.
    fileprivate func release(_ reference: String, _ lease: Lease, at moment: Date) async throws(JournalError) {
        let payment = Payment(
            merchantReference: reference, command: .purchase, amount: 1, currency: "AED", fingerprint: nil,
            appleTransactionIdentifier: nil, claimedAt: .wholeSecond, gateway: "fort", lease: lease)
        try await end(payment, as: .postponed(until: moment), at: .wholeSecond)
    }
}
