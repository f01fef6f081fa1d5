import Foundation
import PaymentRelay
import PayrelayPrimitives
import Testing

extension JournalPromise {
    /// The changes of all payments.
    static let changes: [JournalPromise] = [
        JournalPromise("changes are found newest first, page by page, each once, with the money that they moved") {
            journal async throws in
            for number in 0..<7 {
                #expect(
                    try await journal.claim(
                        .sample("P-\(number)", token: number, at: .wholeSecond + Double(number / 3), account: "one"))
                        == .written)
                let captured = HistoryEntry(
                    at: .wholeSecond + Double(number / 3), state: .captured, balance: Balance(captured: 9), event: [1])
                #expect(
                    try await journal.transition("P-\(number)", from: .processing, receipt: nil, because: captured))
            }
            let all = (0..<7).reversed().flatMap { ["P-\($0) 2", "P-\($0) 1"] }
            for limit in [1, 2, 3, 13, 14, 15] {
                #expect(try await journal.all(ChangeQuery(), limit: limit) == all, "pages of \(limit)")
            }
            var query = ChangeQuery()
            query.limit = 2
            let newest = try await journal.changes(query).changes
            #expect(newest.map(\.stateBefore) == [.processing, nil])
            #expect(newest.map(\.moved) == [Balance(captured: 9), Balance()])
            #expect(newest.map(\.entry.event) == [nil, nil])
            #expect(
                newest.first
                    == RecordedChange(
                        merchantReference: "P-6", currency: "KWD", account: "one", gateway: "fort",
                        entry: HistoryEntry(at: .wholeSecond + 2, state: .captured, balance: Balance(captured: 9)),
                        stateBefore: .processing, moved: Balance(captured: 9)))
        },
        JournalPromise("a filter finds its changes and no others, and several filters apply together") {
            journal async throws in
            try await fill(journal)
            func expect(_ found: [String], _ comment: Comment, _ set: (inout ChangeQuery) -> Void) async throws {
                var query = ChangeQuery()
                set(&query)
                for limit in [1, 100] { #expect(try await journal.all(query, limit: limit) == found, comment) }
            }
            try await expect(["B 4", "B 3", "B 2", "B 1"], "reference") { $0.merchantReference = "B" }
            try await expect([], "no reference") { $0.merchantReference = "b" }
            try await expect(["B 4", "B 3", "B 2", "B 1"], "account") { $0.account = "second" }
            try await expect(["A 5", "A 4", "A 3", "B 3"], "operators") { $0.operators = .all }
            try await expect(["A 5", "A 4", "A 3"], "one operator") { $0.operators = .named("sara") }
            try await expect([], "the beginning of a name") { $0.operators = .named("sar") }
            try await expect([], "a pattern") { $0.operators = .named("%") }
            try await expect(["A 4", "A 3"], "refunds") { $0.kind = .refund }
            try await expect([], "captures") { $0.kind = .capture }
            try await expect(["B 3"], "voids") { $0.kind = .void }
            try await expect(["B 4"], "elsewhere") { $0.kind = .elsewhere }
            try await expect(["B 4", "A 4", "A 2", "B 2", "B 1", "A 1"], "outcomes") { $0.kind = .outcome }
            try await expect(["A 4"], "an operator's outcomes") {
                $0.kind = .outcome
                $0.operators = .named("sara")
            }
            try await expect(["A 4", "A 3"], "an operator's refunds") {
                $0.kind = .refund
                $0.operators = .all
            }
            try await expect(["A 3", "B 3"], "from and to") {
                $0.from = .wholeSecond + 3
                $0.to = .wholeSecond + 4
            }
            try await expect(["A 4"], "all together") {
                $0.kind = .refund
                $0.operators = .named("sara")
                $0.merchantReference = "A"
                $0.from = .wholeSecond + 4
                $0.to = .wholeSecond + 6
            }
            try await expect([], "from after to") {
                $0.from = .wholeSecond + 4
                $0.to = .wholeSecond + 3
            }
        },
        JournalPromise("S6: hostile texts and cursors do not widen a search's result, and do not make it fail") {
            journal async throws in
            try await fill(journal)
            for text in ["' OR 1=1 --", "%", "_", "\"", "operator ", "A\u{301}", String(repeating: "x", count: 9_000)] {
                for keyPath in [\ChangeQuery.merchantReference, \.account] {
                    var query = ChangeQuery()
                    query[keyPath: keyPath] = text
                    #expect(try await journal.all(query, limit: 10).isEmpty)
                }
                var query = ChangeQuery()
                query.operators = .named(text)
                #expect(try await journal.all(query, limit: 10).isEmpty)
            }
            for (at, number) in [(Date.distantFuture, Int.max), (.wholeSecond + 99, 0), (.wholeSecond + 99, -1)] {
                var query = ChangeQuery()
                query.after = ChangeCursor(at: at, merchantReference: "\u{10FFFF}", number: number)
                query.to = .wholeSecond + 2
                #expect(try await journal.all(query, limit: 10) == ["B 1", "A 1"])
            }
            var query = ChangeQuery()
            (query.from, query.to) = (.distantPast, .distantPast)
            query.after = ChangeCursor(at: .distantPast, merchantReference: "", number: .min)
            #expect(try await journal.all(query, limit: 10).isEmpty)
        },
    ]

    /// Makes two payments. `A` is captured and refunded by sara, and assigned to her. `B`, in the second account, is a hold
    /// that omar is to void, and it is captured externally.
    private static func fill(_ journal: any Journal) async throws {
        #expect(try await journal.claim(.sample("A", token: 1, at: .wholeSecond)) == .written)
        #expect(try await journal.claim(.sample("B", token: 2, at: .wholeSecond + 1, account: "second")) == .written)
        try await journal.add("B", .authorized, nil, at: 2)
        try await journal.add("A", .captured, "sara said Refund of 4", at: 2.5)
        try await journal.add("B", .authorized, "Void of 4 begun", .void, by: "omar", at: 3)
        try await journal.add("A", .captured, "Refund of 4 begun", .refund, by: "sara", at: 3.5)
        try await journal.add("A", .refunded, "Refund of 4: done", .refund, by: "sara", at: 4)
        try await journal.add("B", .captured, "elsewhere: captured or refunded", .elsewhere, request: "sara", at: 5)
        try await journal.add("A", .refunded, "the events are sent again", .resend, by: "sara", at: 6)
    }
}

extension Journal {
    fileprivate func add(
        _ reference: String, _ state: PaymentState, _ reason: String?, _ kind: EntryKind = .charge,
        by operatorName: String? = nil, request: String? = nil, at seconds: Double
    ) async throws {
        let payment = try #require(try await payment(reference))
        var changed = payment
        changed.state = state
        let entry = HistoryEntry(
            at: .wholeSecond + seconds, state: state, kind: kind, reason: reason, requestIdentifier: request,
            operatorName: operatorName)
        #expect(try await compareAndSet(payment, to: changed, because: entry))
    }

    /// Returns the reference and number of each change, page after page.
    fileprivate func all(_ query: ChangeQuery, limit: Int) async throws -> [String] {
        var query = query
        query.limit = limit
        var found: [String] = []
        while true {
            let page = try await changes(query)
            #expect(page.changes.count <= limit)
            found += page.changes.map { "\($0.merchantReference) \($0.entry.number)" }
            guard let next = page.next else { return found }
            query.after = next
        }
    }
}
