import Foundation
import PaymentRelay
import PayrelayPrimitives
import TestPrograms
import Testing

extension JournalPromise {
    /// The movements of money.
    static let ledger: [JournalPromise] = [
        JournalPromise("charges, refunds and voids are in the books of their account, currency and time") {
            journal async throws in
            let first = Change.sample("A", token: 1, account: "one")
            _ = try await journal.claim(first)
            #expect(try await totals(of: journal).isEmpty, "a claim moves nothing")
            try await settle("A", .captured, Balance(captured: 400), in: journal, at: 10)
            try await change("A", .partiallyRefunded, Balance(captured: 400, refunded: 150), in: journal, at: 20)
            try await change("A", .refunded, Balance(captured: 400, refunded: 400), in: journal, at: 30)
            _ = try await journal.claim(.sample("B", token: 2, account: "two"))
            try await settle("B", .authorized, Balance(), in: journal, at: 10)
            try await change("B", .voided, Balance(), in: journal, at: 20)
            _ = try await journal.claim(.sample("C", token: 3))
            try await settle("C", .authorized, Balance(), in: journal, at: 10)
            try await change("C", .partiallyCaptured, Balance(captured: 30), in: journal, at: 20)
            try await change("C", .partiallyCaptured, Balance(captured: 70), in: journal, at: 20)

            #expect(
                try await totals(of: journal) == [
                    "- KWD charged 2 70", "one KWD charged 1 400", "one KWD refunded 2 400",
                    "two KWD voided 1 9999999999",
                ])
            #expect(
                try await totals(of: journal, from: 20, until: 30) == [
                    "- KWD charged 2 70", "one KWD refunded 1 150", "two KWD voided 1 9999999999",
                ])
            #expect(try await totals(of: journal, from: 10, until: 20) == ["one KWD charged 1 400"])
            #expect(try await totals(of: journal, from: 31, until: 99).isEmpty)
        },
        JournalPromise("a change that moves no money is in no books") { journal async throws in
            _ = try await journal.claim(.sample("A", token: 1))
            try await settle("A", .uncertain, Balance(), in: journal, at: 1)
            try await settle("A", .captured, Balance(captured: 5), in: journal, at: 2)
            try await change("A", .captured, Balance(captured: 5), in: journal, at: 3)
            for (number, state) in [PaymentState.declined, .notSent, .notProcessed].enumerated() {
                _ = try await journal.claim(.sample("\(state)", token: 10 + number))
                try await settle("\(state)", state, Balance(), in: journal, at: 4)
            }
            #expect(try await totals(of: journal) == ["- KWD charged 1 5"])
            // A write that lost a race against another write adds no movement either.
            let stale = try #require(try await journal.payment("A"))
            try await change("A", .refunded, Balance(captured: 5, refunded: 5), in: journal, at: 5)
            let late = HistoryEntry(at: .wholeSecond + 6, state: .refunded, balance: Balance(captured: 5, refunded: 5))
            #expect(try await !journal.compareAndSet(stale, to: stale, because: late))
            #expect(try await !journal.transition(stale, receipt: nil, because: late))
            #expect(try await totals(of: journal) == ["- KWD charged 1 5", "- KWD refunded 1 5"])
        },
        JournalPromise("an external payment is in the books, and stays there if another account takes its reference") {
            journal async throws in
            let balance = Balance(captured: 500, refunded: 200)
            let payment = Payment(
                merchantReference: "E", command: .purchase, amount: 500, currency: "AED", fingerprint: nil,
                appleTransactionIdentifier: nil, claimedAt: .wholeSecond, gateway: "fort", account: "kwd",
                state: .partiallyRefunded,
                balance: balance)
            let entry = HistoryEntry(at: .wholeSecond, state: .partiallyRefunded, balance: balance)
            #expect(try await journal.record(payment, because: entry))
            #expect(try await !journal.record(payment, because: entry))
            #expect(try await totals(of: journal) == ["kwd AED charged 1 500", "kwd AED refunded 1 200"])
            #expect(
                try await journal.claim(.sample("E", token: 1, account: "aed")) == .written)
            try await settle("E", .captured, Balance(captured: 7), in: journal, at: 1)
            #expect(
                try await totals(of: journal) == [
                    "aed KWD charged 1 7", "kwd AED charged 1 500", "kwd AED refunded 1 200",
                ])
        },
        JournalPromise("over random changes, the books' sum is the sum of the payments' balances") {
            journal async throws in
            for seed in 1...3 { try await settleAtRandom(seed: UInt64(seed), in: journal) }
        },
        JournalPromise("movements are listed page by page in the order of their times, each once") {
            journal async throws in
            for number in 0..<7 {
                _ = try await journal.claim(.sample("\(number)", token: number))
                try await settle("\(number)", .captured, Balance(captured: 9), in: journal, at: Double(10 - number / 2))
                try await change("\(number)", .refunded, Balance(captured: 9, refunded: 9), in: journal, at: 20)
            }
            var listed: [RecordedMovement] = []
            var place: MovementCursor? = MovementCursor(start: .wholeSecond + 8)
            while let from = place {
                let page = try await journal.movements(until: .wholeSecond + 21, after: from, limit: 3)
                listed += page.movements
                place = page.next
            }
            let charged = listed.filter { $0.movement.kind == .charged }.map(\.merchantReference)
            #expect(charged == ["4", "5", "2", "3", "0", "1"])
            #expect(listed.count == 13 && listed.map(\.at) == listed.map(\.at).sorted())
            #expect(
                listed.first
                    == RecordedMovement(
                        at: .wholeSecond + 8, merchantReference: "4", account: nil, currency: "KWD",
                        movement: Movement(.charged, 9)))
        },
        JournalPromise("one lookup finds many payments, and leaves out unknown references") {
            journal async throws in
            let references = ["A", #"quote " and \ and é"#, "C"]
            for (number, reference) in references.enumerated() {
                _ = try await journal.claim(.sample(reference, token: number))
            }
            let found = try await journal.payments(["C", "nobody", references[1]]).map { try $0.get() }
            #expect(Set(found.map(\.merchantReference)) == ["C", references[1]])
            #expect(try await journal.payments([]).isEmpty)
        },
    ]

    private static func totals(
        of journal: any Journal, from start: Double = -1, until end: Double = 1_000
    ) async throws -> [String] {
        let settlement = try await journal.settlement(from: .wholeSecond + start, until: .wholeSecond + end)
        #expect(settlement.unreadableRecords == 0)
        return settlement.totals.flatMap { total in
            [("charged", total.charged), ("refunded", total.refunded), ("voided", total.voided)]
                .filter { $0.1.count > 0 }
                .map { "\(total.account ?? "-") \(total.currency) \($0) \($1.count) \($1.amount)" }
        }
    }

    private static func settle(
        _ reference: String, _ state: PaymentState, _ balance: Balance, in journal: any Journal, at seconds: Double
    ) async throws {
        let payment = try #require(try await journal.payment(reference))
        let entry = HistoryEntry(at: .wholeSecond + seconds, state: state, balance: balance)
        #expect(try await journal.transition(payment, receipt: nil, because: entry))
    }

    private static func change(
        _ reference: String, _ state: PaymentState, _ balance: Balance, in journal: any Journal, at seconds: Double
    ) async throws {
        let payment = try #require(try await journal.payment(reference))
        var changed = payment
        changed.state = state
        changed.balance = balance
        let entry = HistoryEntry(at: .wholeSecond + seconds, state: state, balance: balance)
        #expect(try await journal.compareAndSet(payment, to: changed, because: entry))
    }

    /// Changes payments of two accounts, in an order and to amounts that the seed decides. Amounts only grow, as in the state
    /// machine.
    private static func settleAtRandom(seed: UInt64, in journal: any Journal) async throws {
        var chance = SeededGenerator(seed: seed)
        let account = "random \(seed)"
        let references = (0..<12).map { "\(account) \($0)" }
        for (number, reference) in references.enumerated() {
            _ = try await journal.claim(.sample(reference, token: Int(seed) * 100 + number, account: account))
        }
        for step in 0..<60 {
            let reference = references.randomElement(using: &chance) ?? references[0]
            let payment = try #require(try await journal.payment(reference))
            let captured = Int.random(in: payment.balance.captured.value...2_000_000, using: &chance)
            let refunded = Int.random(
                in: payment.balance.refunded.value...max(payment.balance.refunded.value, captured / 2), using: &chance)
            let balance = Balance(
                captured: try #require(MinorUnits(captured)), refunded: try #require(MinorUnits(refunded)))
            switch payment.state {
            case .processing, .uncertain:
                let states: [PaymentState] = [.uncertain, .authorized, .captured, .declined, .voided, .notProcessed]
                let state = states.randomElement(using: &chance) ?? .captured
                try await settle(
                    reference, state, state == .captured ? balance : Balance(), in: journal, at: Double(step))
            case .authorized where Bool.random(using: &chance):
                try await change(reference, .voided, Balance(), in: journal, at: Double(step))
            case .declined, .voided, .notSent: continue
            default: try await change(reference, .partiallyRefunded, balance, in: journal, at: Double(step))
            }
        }
        var (captured, refunded, voided) = (0, 0, 0)
        for reference in references {
            let payment = try #require(try await journal.payment(reference))
            captured += payment.balance.captured.value
            refunded += payment.balance.refunded.value
            voided += payment.state == .voided ? payment.amount.value : 0
        }
        let settlement = try await journal.settlement(from: .wholeSecond, until: .wholeSecond + 60)
        let total = settlement.totals.first { $0.account == account }
        #expect(total?.charged.amount ?? 0 == captured)
        #expect(total?.refunded.amount ?? 0 == refunded)
        #expect(total?.voided.amount ?? 0 == voided, "seed \(seed)")
    }
}
