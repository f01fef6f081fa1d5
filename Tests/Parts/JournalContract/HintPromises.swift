import Foundation
import PaymentRelay
import PayrelayPrimitives
import Testing

extension JournalPromise {
    private static let start = Date.wholeSecond

    static let hints: [JournalPromise] = [
        JournalPromise("a hint is leased with all its members, and only once") { journal async throws in
            for (number, hint) in GatewayHint.samples.enumerated() {
                let kind = number.isMultiple(of: 2) ? FeedbackKind.direct : .notification
                #expect(try await journal.add(hint, kind: kind, at: start + Double(number), limit: 99))
            }
            let count = GatewayHint.samples.count
            #expect(try await journal.hintSummary() == HintSummary(count: count, oldest: start))
            // A hint is due from the moment of its arrival.
            let first = try await journal.lease(PendingHint.self, limit: 9, at: start, until: start + 60.25)
            #expect(first == [.sample(GatewayHint.samples[0], until: start + 60.25)])
            let others = try await journal.lease(PendingHint.self, limit: 99, at: start + 30, until: start + 90)
            #expect(others.map(\.hint) == Array(GatewayHint.samples.dropFirst()))
            #expect(others.map(\.kind) == (1..<count).map { $0.isMultiple(of: 2) ? .direct : .notification })
            #expect(try await journal.lease(PendingHint.self, limit: 99, at: start + 59, until: start + 90) == [])
            #expect(try await journal.hintSummary() == HintSummary(count: count, oldest: start))
            let again = try await journal.lease(PendingHint.self, limit: 99, at: start + 61, until: start + 120)
            #expect(again == [.sample(GatewayHint.samples[0], until: start + 120)])
        },
        JournalPromise("all hints about one reference share one row") { journal async throws in
            for second in 0..<3 {
                #expect(
                    try await journal.add(.sample("A"), kind: .notification, at: start + Double(second), limit: 9))
            }
            #expect(try await journal.add(.sample("A", account: "sar"), kind: .direct, at: start + 1, limit: 9))
            #expect(try await journal.hintSummary() == HintSummary(count: 2, oldest: start))
            let leased = try await journal.lease(PendingHint.self, limit: 9, at: start + 3, until: start + 60)
            #expect(
                leased == [
                    .sample(.sample("A"), kind: .notification, times: 3, until: start + 60),
                    .sample(.sample("A", account: "sar"), until: start + 60),
                ])
        },
        JournalPromise("hints of different contents share one row, which has the newest content and is marked as mixed")
        {
            journal async throws in
            #expect(try await journal.add(.sample("A", amount: 1), kind: .notification, at: start, limit: 9))
            #expect(try await journal.add(.sample("A", amount: 2), kind: .direct, at: start, limit: 9))
            #expect(try await journal.add(.sample("A", amount: 2), kind: .direct, at: start, limit: 9))
            let mixed = PendingHint.sample(.sample("A", amount: 2), isMixed: true, times: 3, until: start + 60)
            #expect(try await journal.lease(PendingHint.self, limit: 9, at: start, until: start + 60) == [mixed])
            // A queried hint is removed with its query. The next hint is compared with the hints that arrived since.
            #expect(try await journal.add(.sample("A", amount: 3), kind: .direct, at: start + 1, limit: 9))
            try await journal.end(mixed, as: .answered, at: start + 2)
            #expect(
                try await journal.lease(PendingHint.self, limit: 9, at: start + 2, until: start + 70) == [
                    .sample(.sample("A", amount: 3), until: start + 70)
                ])
        },
        JournalPromise("a row keeps each number of a charge once, the oldest first, and no more than its limit") {
            journal async throws in
            let numbers = (1...PendingHint.chargeLimit).map { "\($0)" }
            for number in numbers + ["1", numbers[numbers.count - 1]] {
                #expect(try await journal.add(.sample("A"), charge: number, kind: .direct, at: start, limit: 9))
            }
            // The numbers are another number, and the beginning and the end of a number that is recorded.
            for number in ["11", "99", "-1"] {
                #expect(
                    try await !journal.add(.sample("A", amount: 7), charge: number, kind: .direct, at: start, limit: 9))
            }
            #expect(try await journal.add(.sample("A"), kind: .direct, at: start, limit: 9))
            #expect(try await journal.add(.sample("B"), charge: "99", kind: .direct, at: start + 1, limit: 9))
            let times = numbers.count + 3
            #expect(
                try await journal.leaseHint(at: start, until: start + 60)
                    == .sample(.sample("A"), charges: numbers, times: times, until: start + 60))
            #expect(
                try await journal.leaseHint(at: start + 1, until: start + 60)
                    == .sample(.sample("B"), charges: ["99"], until: start + 60))
        },
        JournalPromise(
            "a query removes the charge numbers that it was made with, and keeps those that arrived during it"
        ) {
            journal async throws in
            for (reference, end, later) in [
                ("A", HintEnd.answered, ["12"]), ("B", .inVain(cooldownUntil: start + 3), ["12"]),
                ("C", .postponed(until: start + 3), ["1", "2", "12"]),
            ] {
                for number in ["1", "2"] {
                    #expect(
                        try await journal.add(.sample(reference), charge: number, kind: .direct, at: start, limit: 9))
                }
                let pending = try await journal.leaseHint(at: start, until: start + 60)
                #expect(pending.charges == ["1", "2"])
                #expect(try await journal.add(.sample(reference), charge: "12", kind: .direct, at: start + 1, limit: 9))
                try await journal.end(pending, as: end, at: start + 2)
                let again = try await journal.leaseHint(at: start + 4, until: start + 99)
                #expect(again.charges == later, "\(reference)")
                try await journal.end(again, as: .inVain(cooldownUntil: start + 5), at: start + 5)
                #expect(try await journal.add(.sample(reference), kind: .direct, at: start + 6, limit: 9))
                let last = try await journal.leaseHint(at: start + 6, until: start + 99)
                #expect(last.charges == [])
                try await journal.end(last, as: .answered, at: start + 7)
            }
        },
        JournalPromise("an answered hint is removed, and the next hint about its reference starts a new row") {
            journal async throws in
            #expect(try await journal.add(.sample("A"), kind: .direct, at: start, limit: 9))
            let pending = try await journal.leaseHint(at: start, until: start + 60)
            try await journal.end(pending, as: .inVain(cooldownUntil: start + 5), at: start + 1)
            #expect(try await journal.add(.sample("A"), kind: .direct, at: start + 6, limit: 9))
            let second = try await journal.leaseHint(at: start + 6, until: start + 66)
            #expect(second == .sample(.sample("A"), queriesInVain: 1, until: start + 66))
            try await journal.end(second, as: .answered, at: start + 7)
            #expect(try await journal.hintSummary() == HintSummary())
            #expect(try await journal.lease(PendingHint.self, limit: 9, at: start + 99, until: start + 199) == [])
            #expect(try await journal.add(.sample("A"), kind: .direct, at: start + 8, limit: 9))
            #expect(
                try await journal.leaseHint(at: start + 8, until: start + 68)
                    == .sample(.sample("A"), until: start + 68))
        },
        JournalPromise("a query without a result starts the reference's cooldown, and later hints wait for its end") {
            journal async throws in
            for vain in 0..<3 {
                let now = start + Double(100 * vain)
                #expect(try await journal.add(.sample("A"), kind: .direct, at: now, limit: 9))
                let pending = try await journal.leaseHint(at: now, until: now + 60)
                #expect(pending.queriesInVain == vain && pending.times == 1 && !pending.isMixed)
                try await journal.end(pending, as: .inVain(cooldownUntil: now + 50), at: now + 1)
                #expect(try await journal.hintSummary() == HintSummary())
            }
            #expect(try await journal.lease(PendingHint.self, limit: 9, at: start + 999, until: start + 1_099) == [])
            let rest = start + 250
            #expect(try await journal.add(.sample("A", amount: 8), kind: .direct, at: rest - 9, limit: 9))
            #expect(try await journal.hintSummary() == HintSummary(count: 1, oldest: rest - 9))
            #expect(try await journal.lease(PendingHint.self, limit: 9, at: rest - 0.001, until: rest + 60) == [])
            #expect(
                try await journal.leaseHint(at: rest, until: rest + 60)
                    == .sample(.sample("A", amount: 8), queriesInVain: 3, until: rest + 60))
        },
        JournalPromise("a hint that arrives during the query about its reference leads to another query") {
            journal async throws in
            for (reference, end, due) in [
                ("A", HintEnd.answered, 2.0), ("B", .inVain(cooldownUntil: start + 30), 30),
                ("C", .postponed(until: start + 40), 40),
            ] {
                #expect(try await journal.add(.sample(reference), kind: .direct, at: start, limit: 9))
                let pending = try await journal.leaseHint(at: start, until: start + 60)
                #expect(try await journal.add(.sample(reference), kind: .direct, at: start + 1, limit: 9))
                try await journal.end(pending, as: end, at: start + 2)
                let isPostponed = reference == "C"
                #expect(
                    try await journal.hintSummary() == HintSummary(count: 1, oldest: isPostponed ? start : start + 2))
                #expect(
                    try await journal.lease(PendingHint.self, limit: 9, at: start + due - 0.001, until: start + 99)
                        == [])
                let again = try await journal.leaseHint(at: start + due, until: start + 99)
                #expect(
                    again
                        == .sample(
                            .sample(reference), times: isPostponed ? 2 : 1, queriesInVain: reference == "B" ? 1 : 0,
                            until: start + 99))
                try await journal.end(again, as: .answered, at: start + 50)
            }
        },
        JournalPromise("a postponed hint stays pending, and is due at the time that it was postponed to") {
            journal async throws in
            #expect(try await journal.add(.sample("A"), kind: .direct, at: start, limit: 9))
            let pending = try await journal.leaseHint(at: start, until: start + 60)
            try await journal.end(pending, as: .postponed(until: start + 10), at: start + 1)
            #expect(try await journal.hintSummary() == HintSummary(count: 1, oldest: start))
            #expect(try await journal.lease(PendingHint.self, limit: 9, at: start + 9, until: start + 69) == [])
            #expect(
                try await journal.leaseHint(at: start + 10, until: start + 70)
                    == .sample(.sample("A"), until: start + 70))
        },
        JournalPromise("an end has no effect after its lease expired and another instance took it over") {
            journal async throws in
            #expect(try await journal.add(.sample("A"), kind: .direct, at: start, limit: 9))
            let old = try await journal.leaseHint(at: start, until: start + 60)
            let new = try await journal.leaseHint(at: start + 60, until: start + 120)
            for end in [HintEnd.answered, .inVain(cooldownUntil: start), .postponed(until: start)] {
                try await journal.end(old, as: end, at: start + 61)
                try await journal.end(PendingHint.sample(.sample("none"), until: start + 120), as: end, at: start + 61)
                try await journal.end(
                    PendingHint.sample(.sample("A", account: "sar"), until: start + 120), as: end, at: start + 61)
            }
            #expect(try await journal.lease(PendingHint.self, limit: 9, at: start + 119, until: start + 199) == [])
            #expect(try await journal.hintSummary() == HintSummary(count: 1, oldest: start))
            try await journal.end(new, as: .answered, at: start + 62)
            try await journal.end(new, as: .postponed(until: start), at: start + 63)
            #expect(try await journal.hintSummary() == HintSummary())
            // The hint was ended, and the reference has a new hint, which is not leased.
            #expect(try await journal.add(.sample("A"), kind: .direct, at: start + 64, limit: 9))
            try await journal.end(new, as: .answered, at: start + 65)
            #expect(try await journal.hintSummary() == HintSummary(count: 1, oldest: start + 64))
        },
        JournalPromise("if the table is full, a new reference gets no row, and references with a row still take hints")
        {
            journal async throws in
            for (reference, isAdded) in [("A", true), ("B", true), ("C", false), ("A", true), ("B", true)] {
                #expect(try await journal.add(.sample(reference), kind: .direct, at: start, limit: 2) == isAdded)
            }
            let leased = try await journal.lease(PendingHint.self, limit: 9, at: start, until: start + 60)
            #expect(Set(leased.map(\.hint.merchantReference)) == ["A", "B"] && leased.allSatisfy { $0.times == 2 })
            // A hint in its cooldown takes space, too.
            for pending in leased { try await journal.end(pending, as: .inVain(cooldownUntil: start + 9), at: start) }
            #expect(try await !journal.add(.sample("C"), kind: .direct, at: start + 8.999, limit: 2))
            #expect(try await journal.add(.sample("B"), kind: .direct, at: start + 8.999, limit: 2))
            // A, whose cooldown is over, is removed for the new hint. B, which waits, is not removed.
            #expect(try await journal.add(.sample("C"), kind: .direct, at: start + 9.5, limit: 2))
            #expect(try await !journal.add(.sample("D"), kind: .direct, at: start + 99, limit: 2))
            #expect(
                try await journal.leaseHint(at: start + 99, until: start + 199)
                    == .sample(.sample("B"), queriesInVain: 1, until: start + 199))
            #expect(
                try await journal.leaseHint(at: start + 99, until: start + 199)
                    == .sample(.sample("C"), until: start + 199))
        },
        JournalPromise("if the table is full, only the row whose cooldown ended longest ago is removed for a new one") {
            journal async throws in
            for (reference, rest) in [("A", 20.0), ("B", 10), ("C", 30)] {
                #expect(try await journal.add(.sample(reference), kind: .direct, at: start, limit: 3))
                let pending = try await journal.leaseHint(at: start, until: start + 60)
                try await journal.end(pending, as: .inVain(cooldownUntil: start + rest), at: start)
            }
            #expect(try await journal.add(.sample("D"), kind: .direct, at: start + 40, limit: 3))
            // The hints that stayed keep the time of their query. B, without a row, needs space again, for which A is removed.
            #expect(try await journal.add(.sample("C"), kind: .direct, at: start + 41, limit: 3))
            #expect(try await journal.add(.sample("B"), kind: .direct, at: start + 42, limit: 3))
            #expect(try await !journal.add(.sample("A"), kind: .direct, at: start + 43, limit: 3))
            for (reference, queriesInVain) in [("D", 0), ("C", 1), ("B", 0)] {
                #expect(
                    try await journal.leaseHint(at: start + 50, until: start + 99)
                        == .sample(.sample(reference), queriesInVain: queriesInVain, until: start + 99))
            }
        },
        JournalPromise("a reference whose cooldown ended more than a day ago is removed") { journal async throws in
            for (reference, later, queriesInVain) in [("A", 86_400.0, 1), ("B", 86_400.5, 0)] {
                #expect(try await journal.add(.sample(reference), kind: .direct, at: start, limit: 9))
                let pending = try await journal.leaseHint(at: start, until: start + 60)
                try await journal.end(pending, as: .inVain(cooldownUntil: start + 9), at: start)
                try await journal.purge(at: start + 9 + later)
                #expect(try await journal.add(.sample(reference), kind: .direct, at: start + 10, limit: 9))
                let again = try await journal.leaseHint(at: start + 10, until: start + 70)
                #expect(
                    again == .sample(.sample(reference), queriesInVain: queriesInVain, until: start + 70))
                try await journal.end(again, as: .answered, at: start + 11)
            }
        },
        JournalPromise("R15: a gateway's lease returns only its own hints") { journal async throws in
            for (reference, gateway) in [("A", "fort"), ("B", "portmone"), ("A", "fort")] {
                #expect(
                    try await journal.add(.sample(reference), of: gateway, kind: .direct, at: start, limit: 9))
            }
            // The account belongs to another gateway now.
            #expect(try await journal.add(.sample("B"), of: "fort", kind: .direct, at: start, limit: 9))
            #expect(try await journal.add(.sample("C"), of: "portmone", kind: .direct, at: start, limit: 9))
            for (gateway, references) in [("none", []), ("portmone", ["C"]), ("fort", ["A", "B"])] {
                let leased = try await journal.lease(
                    PendingHint.self, of: gateway, limit: 9, at: start, until: start + 60)
                #expect(Set(leased.map(\.hint.merchantReference)) == Set(references), "\(gateway)")
            }
        },
        JournalPromise("S14: a gateway's hints do not count towards another gateway's limit") { journal async throws in
            for (reference, isAdded) in [("A", true), ("B", true), ("C", false)] {
                #expect(
                    try await journal.add(.sample(reference), of: "portmone", kind: .notification, at: start, limit: 2)
                        == isAdded)
            }
            let leased = try await journal.lease(
                PendingHint.self, of: "portmone", limit: 9, at: start, until: start + 60)
            for pending in leased { try await journal.end(pending, as: .inVain(cooldownUntil: start + 9), at: start) }
            for (reference, isAdded) in [("D", true), ("E", true), ("F", false)] {
                #expect(try await journal.add(.sample(reference), kind: .direct, at: start + 10, limit: 2) == isAdded)
            }
            // FORT's hints did not make any of Portmone's be removed, although Portmone's cooldowns are over.
            for reference in ["A", "B"] {
                #expect(
                    try await journal.add(
                        .sample(reference), of: "portmone", kind: .notification, at: start + 10, limit: 2))
            }
            let again = try await journal.lease(
                PendingHint.self, of: "portmone", limit: 9, at: start + 10, until: start + 60)
            #expect(again.map(\.queriesInVain) == [1, 1])
        },
        JournalPromise("if many instances lease hints at once, no hint is leased twice") { journal async throws in
            for number in 0..<40 {
                #expect(try await journal.add(.sample("R-\(number)"), kind: .direct, at: start, limit: 99))
            }
            let leased = try await withThrowingTaskGroup(of: [PendingHint].self) { group in
                for _ in 0..<10 {
                    group.addTask { try await journal.lease(PendingHint.self, limit: 7, at: start, until: start + 60) }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            let rest = try await journal.lease(PendingHint.self, limit: 99, at: start, until: start + 60)
            let references = (leased + rest).map(\.hint.merchantReference)
            #expect(references.count == 40 && Set(references).count == 40)
        },
        JournalPromise("if many instances add hints about one reference at once, each hint is counted") {
            journal async throws in
            try await withThrowingTaskGroup { group in
                for number in 0..<20 {
                    group.addTask {
                        _ = try await journal.add(
                            .sample("A", amount: 1 + number % 2), kind: .direct, at: start, limit: 9)
                    }
                }
                try await group.waitForAll()
            }
            let pending = try await journal.leaseHint(at: start, until: start + 60)
            #expect(pending.times == 20 && pending.isMixed)
        },
        JournalPromise("a hint changes nothing of a payment") { journal async throws in
            #expect(try await journal.claim(.sample("A", token: 1)) == .written)
            let before = try await journal.payment("A")
            #expect(try await journal.add(.sample("A"), kind: .direct, at: start, limit: 9))
            let pending = try await journal.leaseHint(at: start, until: start + 60)
            try await journal.end(pending, as: .answered, at: start)
            #expect(try await journal.payment("A") == before)
            #expect(try await journal.history(of: "A").count == 1)
        },
    ]
}

extension Journal {
    /// Leases the hint that has been due longest.
    func leaseHint(at moment: Date, until expiry: Date) async throws -> PendingHint {
        try #require(try await lease(PendingHint.self, limit: 1, at: moment, until: expiry).first)
    }
}

extension GatewayHint {
    /// Returns a hint about a refund of a reference.
    static func sample(_ reference: String, account: String = "aed", amount: Int = 500) -> GatewayHint {
        GatewayHint(
            account: account, merchantReference: reference, subject: .operation(.refund), statement: .refunded,
            amount: MinorUnits(amount), currency: "AED", gatewayReference: "149295435400084008")
    }

    /// One hint of each kind.
    static let samples: [GatewayHint] =
        Statement.allCases.map { statement in
            GatewayHint(
                account: "aed", merchantReference: "charge-\(statement)", subject: .charge(.purchase),
                statement: statement, amount: 1_000, currency: "KWD", gatewayReference: "1")
        } + [
            GatewayHint(
                account: "", merchantReference: "~!", subject: .charge(.authorization), statement: .undecided,
                amount: nil,
                currency: nil, gatewayReference: nil),
            GatewayHint(
                account: "\u{1F600}'\"", merchantReference: "%_\\';--", subject: .operation(.capture),
                statement: .captured,
                amount: 9_999_999_999, currency: "\0\u{202E}\u{301}", gatewayReference: "\0 \" \n"),
            GatewayHint(
                account: "aed", merchantReference: String(repeating: "a", count: 40),
                subject: .operation(.voidAuthorization),
                statement: .voided, amount: .zero, currency: "", gatewayReference: ""),
        ]
}

extension PendingHint {
    static func sample(
        _ hint: GatewayHint, kind: FeedbackKind = .direct, isMixed: Bool = false, charges: [String] = [],
        times: Int = 1, queriesInVain: Int = 0, until expiry: Date
    ) -> PendingHint {
        PendingHint(
            hint: hint, kind: kind, isMixed: isMixed, charges: charges, times: times, queriesInVain: queriesInVain,
            leaseExpiresAt: expiry)
    }
}
