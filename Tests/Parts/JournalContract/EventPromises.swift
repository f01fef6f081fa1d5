import Foundation
import PaymentRelay
import Testing

extension JournalPromise {
    static let events: [JournalPromise] = [
        JournalPromise("a change and its event are written together, and a change without an event leaves none") {
            journal async throws in
            try await journal.settle("A", token: 1, event: "captured", at: start + 0.5)
            try await journal.settle("B", token: 2, event: nil)
            let due = try await journal.lease(DueEvent.self, of: nil, limit: 9, at: start + 1, until: start + 60)
            #expect(
                due == [
                    DueEvent(
                        merchantReference: "A", number: 2, at: start + 0.5, attempt: 1, leasedUntil: start + 60,
                        recorded: Array("captured".utf8))
                ])
            #expect(try await journal.history(of: "A").map(\.event) == [nil, Array("captured".utf8)])
        },
        JournalPromise("a change that is not written leaves no event") { journal async throws in
            _ = try await journal.claim(.sample("A", token: 1))
            let entry = HistoryEntry(at: start, state: .captured, event: [1])
            #expect(try await !journal.transition("A", from: .uncertain, receipt: nil, because: entry))
            var other = try #require(try await journal.payment("A"))
            other.version += 1
            #expect(try await !journal.compareAndSet(other, to: other, because: entry))
            #expect(try await journal.eventSummary() == EventSummary())
            #expect(try await journal.lease(DueEvent.self, of: nil, limit: 9, at: start + 60, until: start + 90) == [])
        },
        JournalPromise("events of a payment are leased one after the other, in order") {
            journal async throws in
            try await journal.settle("A", token: 1, event: "first")
            try await journal.change("A", event: nil)
            try await journal.change("A", event: "second")
            let first = try #require(
                try await journal.lease(DueEvent.self, of: nil, limit: 9, at: start, until: start + 60).first)
            try await journal.change("A", event: "third")
            #expect(try await journal.lease(DueEvent.self, of: nil, limit: 9, at: start + 59, until: start + 90) == [])
            try await journal.acknowledge(first, at: start + 5)
            let second = try #require(
                try await journal.lease(DueEvent.self, of: nil, limit: 9, at: start + 5, until: start + 60).first)
            try await journal.acknowledge(second, at: start + 6)
            let third = try #require(
                try await journal.lease(DueEvent.self, of: nil, limit: 9, at: start + 6, until: start + 60).first)
            try await journal.acknowledge(third, at: start + 7)
            #expect([first, second, third].map(\.number) == [2, 4, 5])
            #expect([first, second, third].map(\.text) == ["first", "second", "third"])
            #expect([first, second, third].map(\.attempt) == [1, 1, 1])
            #expect(try await journal.eventSummary() == EventSummary())
        },
        JournalPromise("an event is postponed or acknowledged by its holder only") {
            journal async throws in
            try await journal.settle("A", token: 1, event: "first")
            let late = try #require(
                try await journal.lease(DueEvent.self, of: nil, limit: 9, at: start, until: start + 10).first)
            let held = try #require(
                try await journal.lease(DueEvent.self, of: nil, limit: 9, at: start + 10, until: start + 20).first)
            #expect(held.attempt == 2)
            try await journal.acknowledge(late, at: start + 11)
            try await journal.postpone(late, until: start)
            #expect(try await journal.lease(DueEvent.self, of: nil, limit: 9, at: start + 19, until: start + 60) == [])
            try await journal.postpone(held, until: start + 15)
            try await journal.acknowledge(held, at: start + 12)
            #expect(try await journal.lease(DueEvent.self, of: nil, limit: 9, at: start + 14, until: start + 60) == [])
            #expect(
                try await journal.lease(DueEvent.self, of: nil, limit: 9, at: start + 15, until: start + 60).map(
                    \.attempt) == [
                        3
                    ])
        },
        JournalPromise("a dead-lettered payment waits for a resend or for its next event") {
            journal async throws in
            for (number, reference) in ["A", "B", "C"].enumerated() {
                try await journal.settle(reference, token: number, event: reference)
            }
            for due in try await journal.lease(DueEvent.self, of: nil, limit: 2, at: start, until: start + 60) {
                try await journal.postpone(due, until: nil)
            }
            #expect(
                try await journal.eventSummary() == EventSummary(undelivered: 3, oldest: start, deadLettered: 2))
            #expect(
                try await journal.list(.deadLettered, after: nil, limit: 9)
                    == ["A", "B"].map { PaymentCursor(at: start, merchantReference: $0) })
            #expect(try await journal.list(.deadLettered, after: nil, limit: 1).map(\.merchantReference) == ["A"])
            #expect(
                try await journal.list(.undelivered(waitingBefore: start + 1), after: nil, limit: 9)
                    == [PaymentCursor(at: start, merchantReference: "C")])
            #expect(try await journal.list(.undelivered(waitingBefore: start), after: nil, limit: 9) == [])
            let left = try await journal.lease(DueEvent.self, of: nil, limit: 9, at: start, until: start + 60)
            #expect(left.count == 1)
            for due in left { try await journal.postpone(due, until: nil) }
            try await journal.change("B", event: "next")
            let next = try await journal.lease(DueEvent.self, of: nil, limit: 9, at: start + 1, until: start + 60)
            #expect(next.map(\.text) == ["B"] && next.map(\.attempt) == [1])
            #expect(try await journal.resendEvents(of: "A", since: nil, at: start + 2))
            #expect(try await !journal.resendEvents(of: "A", since: nil, at: start + 3))
            #expect(try await journal.resendDeadLetteredEvents(at: start + 2) == 1)
            #expect(try await journal.resendDeadLetteredEvents(at: start + 2) == 0)
            let resent = try await journal.lease(DueEvent.self, of: nil, limit: 9, at: start + 2, until: start + 60)
            #expect(Set(resent.map(\.text)) == ["A", "C"] && resent.allSatisfy { $0.attempt == 1 })
        },
        JournalPromise("a resend makes acknowledged events due from a moment on, and none before it") {
            journal async throws in
            try await journal.settle("A", token: 1, event: "first")
            try await journal.change("A", event: "second", at: start + 100)
            #expect(try await journal.deliverAll() == ["first", "second"])
            #expect(try await journal.resendEvents(of: "A", since: start + 1, at: start + 200))
            #expect(try await journal.deliverAll() == ["second"])
            #expect(try await journal.resendEvents(of: "A", since: .distantPast, at: start + 200))
            #expect(try await journal.deliverAll() == ["first", "second"])
            #expect(try await !journal.resendEvents(of: "A", since: start + 101, at: start + 200))
            #expect(try await !journal.resendEvents(of: "none", since: .distantPast, at: start + 200))
            #expect(try await journal.eventSummary() == EventSummary())
        },
        JournalPromise("a resend from a later moment skips nothing that was never acknowledged") {
            journal async throws in
            try await journal.settle("A", token: 1, event: "first")
            try await journal.change("A", event: "second", at: start + 100)
            let held = try #require(
                try await journal.lease(DueEvent.self, of: nil, limit: 9, at: start, until: start + 999).first)
            #expect(try await journal.resendEvents(of: "A", since: start + 1, at: start + 200))
            try await journal.acknowledge(held, at: start + 201)
            #expect(try await journal.deliverAll() == ["first", "second"])
        },
        JournalPromise("payments are listed by their first event since a moment, each once, page by page") {
            journal async throws in
            for number in 0..<7 {
                try await journal.settle(
                    "\(number)", token: number, event: number == 3 ? nil : "first", at: start + Double(number / 2))
            }
            try await journal.change("0", event: "second", at: start + 2)
            func pages(since moment: Date) async throws -> [String] {
                var listed: [PaymentCursor] = []
                while case let page = try await journal.list(.withEvents(since: moment), after: listed.last, limit: 2),
                    !page.isEmpty
                { listed += page }
                return listed.map(\.merchantReference)
            }
            #expect(try await pages(since: .distantPast) == ["0", "1", "2", "4", "5", "6"])
            #expect(try await pages(since: start + 2) == ["0", "4", "5", "6"])
            #expect(try await pages(since: start + 4) == [])
        },
        JournalPromise("a payment claimed again continues the numbers of its history") { journal async throws in
            try await journal.settle("A", token: 1, as: .notSent, event: nil)
            try await journal.settle("A", token: 1, event: "first")
            #expect(
                try await journal.lease(DueEvent.self, of: nil, limit: 9, at: start, until: start + 9).map(\.number)
                    == [4])
        },
        JournalPromise("R7: if many instances lease events at once, no event is leased twice") { journal async throws in
            let count = 60
            for number in 0..<count { try await journal.settle("\(number)", token: number, event: "first") }
            let leased = try await withThrowingTaskGroup { group in
                for _ in 0..<20 {
                    group.addTask {
                        var mine: [String] = []
                        // A lease that returns nothing may only have met other sessions that hold the same rows.
                        for _ in 0..<20 {
                            mine += try await journal.lease(
                                DueEvent.self, of: nil, limit: 2, at: start, until: start + 60
                            )
                            .map(\.merchantReference)
                        }
                        return mine
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            #expect(leased.count == count && Set(leased).count == count)
        },
        JournalPromise("an event that comes while another is acknowledged is not forgotten") { journal async throws in
            for round in 0..<40 {
                let reference = "\(round)"
                try await journal.settle(reference, token: round, event: "first")
                let first = try #require(
                    try await journal.lease(DueEvent.self, of: nil, limit: 9, at: start, until: start + 60).first)
                async let changed: Void = journal.change(reference, event: "second")
                async let acknowledged: Void = journal.acknowledge(first, at: start)
                _ = try await (changed, acknowledged)
                #expect(try await journal.deliverAll() == ["second"])
            }
        },
    ]

    private static let start = Date.wholeSecond
}

extension Journal {
    fileprivate func settle(
        _ reference: String, token: Int, as state: PaymentState = .captured, event: String?,
        at moment: Date = .wholeSecond
    ) async throws {
        #expect(try await claim(.sample(reference, token: token, at: moment)) == .written)
        let entry = HistoryEntry(at: moment, state: state, event: event.map { Array($0.utf8) })
        #expect(try await transition(reference, from: .processing, receipt: nil, because: entry))
    }

    fileprivate func change(_ reference: String, event: String?, at moment: Date = .wholeSecond) async throws {
        let payment = try #require(try await payment(reference))
        let entry = HistoryEntry(at: moment, state: .captured, event: event.map { Array($0.utf8) })
        #expect(try await compareAndSet(payment, to: payment, because: entry))
    }

    /// Leases and acknowledges every event that is due a day later.
    fileprivate func deliverAll() async throws -> [String] {
        let later = Date.wholeSecond + 86_400
        var delivered: [String] = []
        while case let due = try await lease(DueEvent.self, of: nil, limit: 9, at: later, until: later + 60),
            !due.isEmpty
        {
            for event in due {
                delivered.append(event.text)
                try await acknowledge(event, at: later)
            }
        }
        return delivered
    }
}

extension DueEvent {
    fileprivate var text: String { String(decoding: recorded, as: UTF8.self) }
}
