public import Foundation
public import PaymentRelay
import PayrelayPrimitives
import Testing

extension JournalPromise {
    static let search = [
        JournalPromise("payments are found newest first, page by page, each once") { journal async throws in
            // Several of one moment: the reference decides.
            for number in 0..<23 {
                try await journal.add("P-\(100 + number)", token: number, at: .wholeSecond + Double(number / 5))
            }
            for limit in [1, 2, 5, 7, 22, 23, 24] {
                let found = try await journal.all(PaymentQuery(), limit: limit)
                #expect(found == (0..<23).reversed().map { "P-\(100 + $0)" }, "pages of \(limit)")
            }
        },
        JournalPromise("every filter finds its payments and no others, and filters hold together") {
            journal async throws in
            for number in 0..<12 {
                try await journal.add(
                    "ORDER-\(10 + number)", token: number, at: .wholeSecond + Double(number),
                    amount: 100 * (number % 3 + 1),
                    currency: number % 4 == 0 ? "KWD" : "AED", command: number % 6 == 0 ? .authorization : .purchase,
                    account: number % 5 == 0 ? "second" : nil, client: number % 2 == 0 ? "even" : "odd",
                    state: number % 3 == 0 ? .declined : .captured)
            }
            func expect(
                _ numbers: [Int], _ comment: Comment, _ set: (inout PaymentQuery) -> Void
            ) async throws {
                var query = PaymentQuery()
                set(&query)
                for limit in [3, 100] {
                    let found = try await journal.all(query, limit: limit)
                    #expect(found == numbers.sorted(by: >).map { "ORDER-\(10 + $0)" }, comment)
                }
            }
            try await expect([4], "reference") { $0.merchantReference = "ORDER-14" }
            try await expect([], "another reference") { $0.merchantReference = "ORDER-1" }
            try await expect(Array(0..<10), "prefix") { $0.merchantReferencePrefix = "ORDER-1" }
            try await expect([10, 11], "prefix") { $0.merchantReferencePrefix = "ORDER-2" }
            try await expect([0, 3, 6, 9], "amount") { $0.amounts = 100...100 }
            try await expect([1, 2, 4, 5, 7, 8, 10, 11], "amounts") { $0.amounts = 101...300 }
            try await expect([0, 4, 8], "currency") { $0.currency = "KWD" }
            try await expect([0, 3, 6, 9], "outcome") { $0.outcome = .declined }
            try await expect([0, 6], "command") { $0.command = .authorization }
            try await expect([0, 5, 10], "account") { $0.account = "second" }
            try await expect([1, 3, 5, 7, 9, 11], "client") { $0.client = "odd" }
            try await expect([3, 4, 5], "times") {
                $0.claimedFrom = .wholeSecond + 3
                $0.claimedTo = .wholeSecond + 6
            }
            try await expect([], "times the other way around") {
                $0.claimedFrom = .wholeSecond + 6
                $0.claimedTo = .wholeSecond + 3
            }
            try await expect([9], "together") {
                $0.client = "odd"
                $0.outcome = .declined
                $0.merchantReferencePrefix = "ORDER-1"
                $0.claimedFrom = .wholeSecond + 4
                $0.amounts = 0...500
            }
            try await expect([], "reference and prefix contradict") {
                $0.merchantReference = "ORDER-14"
                $0.merchantReferencePrefix = "ORDER-2"
            }
            try await expect([4], "reference with its prefix, currency and client") {
                $0.merchantReference = "ORDER-14"
                $0.merchantReferencePrefix = "ORDER-"
                $0.currency = "KWD"
                $0.client = "even"
            }
        },
        JournalPromise("S7: a client finds its own payments alone, whatever it asks for") { journal async throws in
            try await journal.add("A", token: 1, client: "shop", keys: [.cardLastFour("1111")])
            try await journal.add("B", token: 2, client: "other", keys: [.cardLastFour("1111")])
            try await journal.add("C", token: 3, client: nil, keys: [.cardLastFour("1111")])
            var query = PaymentQuery(visibleTo: .payments(VisiblePayments(of: "shop")))
            #expect(try await journal.all(query) == ["A"])
            query.keys = [.cardLastFour("1111")]
            #expect(try await journal.all(query) == ["A"])
            query.client = "other"
            #expect(try await journal.all(query) == [])
            query = PaymentQuery(visibleTo: .payments(VisiblePayments(of: "shop")))
            query.merchantReference = "B"
            #expect(try await journal.all(query) == [])
            #expect(try await journal.all(PaymentQuery()) == ["C", "B", "A"])
        },
        JournalPromise(
            "S7: with the scope for it, a client finds what was made elsewhere among its own, in order, page by page"
        ) {
            journal async throws in
            let visible = VisiblePayments(of: "shop", includingMadeElsewhere: true)
            for number in 0..<30 {
                let at = Date.wholeSecond + Double(number / 4)
                let reference = "P-\(100 + number)"
                if number % 3 == 0 {
                    let payment = Payment(
                        merchantReference: reference, command: .purchase, amount: MinorUnits(number + 1) ?? .zero,
                        currency: number % 2 == 0 ? "AED" : "KWD", fingerprint: nil, appleTransactionIdentifier: nil,
                        claimedAt: at, account: "aed", state: .captured)
                    #expect(try await journal.record(payment, because: HistoryEntry(at: at, state: .captured)))
                } else {
                    try await journal.add(
                        reference, token: number, at: at, currency: number % 2 == 0 ? "AED" : "KWD",
                        client: [nil, "shop", "other"][number % 3])
                }
            }
            // No client claimed it, and none is told of it.
            try await journal.add("Q", token: 99, client: nil)
            func expect(_ numbers: [Int], _ change: (inout PaymentQuery) -> Void = { _ in }) async throws {
                for limit in [1, 2, 3, 7, 100] {
                    var query = PaymentQuery(visibleTo: .payments(visible))
                    change(&query)
                    #expect(
                        try await journal.all(query, limit: limit) == numbers.sorted(by: >).map { "P-\(100 + $0)" },
                        "pages of \(limit)")
                }
            }
            let visibleNumbers = (0..<30).filter { $0 % 3 != 2 }
            try await expect(visibleNumbers)
            try await expect(visibleNumbers.filter { $0 % 2 == 0 }) { $0.currency = "AED" }
            try await expect(visibleNumbers.filter { $0 % 3 == 1 }) { $0.client = "shop" }
            try await expect([]) { $0.client = "other" }
            try await expect([3]) { $0.merchantReference = "P-103" }
            try await expect([]) { $0.merchantReference = "P-102" }
            try await expect([10, 12, 13, 15, 16, 18, 19]) { $0.merchantReferencePrefix = "P-11" }
            try await expect(visibleNumbers.filter { $0 % 3 == 0 }) { $0.account = "aed" }
            try await expect(visibleNumbers.filter { $0 >= 8 }) { $0.claimedFrom = .wholeSecond + 2 }
        },
        JournalPromise("S7: a payment made elsewhere whose reference another client takes is that client's alone") {
            journal async throws in
            let payment = Payment(
                merchantReference: "E", command: .purchase, amount: 7, currency: "AED", fingerprint: nil,
                appleTransactionIdentifier: nil, claimedAt: .wholeSecond, account: "aed", state: .captured)
            _ = try await journal.record(payment, because: HistoryEntry(at: .wholeSecond, state: .captured))
            // At the very moment, too.
            #expect(
                try await journal.claim(.sample("E", token: 1, account: "kwd", client: "other"))
                    == .claimedInPlaceOf(payment))
            for (client, found) in [("shop", []), ("other", ["E"])] {
                let visible = VisiblePayments(of: client, includingMadeElsewhere: true)
                #expect(try await journal.all(PaymentQuery(visibleTo: .payments(visible))) == found)
            }
        },
        JournalPromise("no character of a prefix stands for others") { journal async throws in
            let references = ["A%B", "A_B", "AxB", "A*B", "A[B", "A\\B", "A~", "A"]
            for (number, reference) in references.enumerated() {
                try await journal.add(reference, token: number, at: .wholeSecond + Double(number))
            }
            let expected = [
                "%": [], "A%": ["A%B"], "A_": ["A_B"], "A*": ["A*B"], "A[": ["A[B"], "A\\": ["A\\B"], "A~": ["A~"],
                "a": [], "A": references.reversed(), "A'": [], "A' OR 1=1 --": [],
            ]
            for (prefix, found) in expected {
                var query = PaymentQuery()
                query.merchantReferencePrefix = prefix
                #expect(try await journal.all(query) == Array(found), "\(prefix)")
            }
        },
        JournalPromise("payments are found by what is in the order and in the answer") { journal async throws in
            try await journal.add(
                "A", token: 1, keys: [.customerEmail("Sara@Example.com "), .appleTransactionIdentifier("AB01")],
                settledWith: [.fortIdentifier("149295435400084008"), .cardLastFour("1111")])
            try await journal.add(
                "B", token: 2, at: .wholeSecond + 1, keys: [.customerEmail("omar@example.com")],
                settledWith: [.fortIdentifier("149295435400084009"), .cardLastFour("1111")])
            let expected: [([SearchKey], [String])] = [
                ([.customerEmail(" sara@example.COM")], ["A"]), ([.appleTransactionIdentifier("ab01")], ["A"]),
                ([.fortIdentifier("149295435400084009")], ["B"]), ([.cardLastFour("1111")], ["B", "A"]),
                ([.cardLastFour("1111"), .customerEmail("sara@example.com")], ["A"]),
                ([.cardLastFour("1112")], []), ([.fortIdentifier("1111")], []), ([.customerEmail("1111")], []),
            ]
            for (keys, found) in expected {
                var query = PaymentQuery()
                query.keys = keys
                #expect(try await journal.all(query) == found, "\(keys)")
                query.currency = "KWD"
                #expect(try await journal.all(query, limit: 1) == found, "\(keys)")
            }
        },
        JournalPromise("erased customer data is not found any more, and the payment is") { journal async throws in
            let customers = [SearchKey.customerEmail("sara@example.com"), .cardLastFour("1111")]
            let payments = [SearchKey.fortIdentifier("149295435400084008"), .appleTransactionIdentifier("ab01")]
            for (number, reference) in ["A", "B"].enumerated() {
                try await journal.add(
                    reference, token: number, at: .wholeSecond + Double(number), keys: [customers[0], payments[1]],
                    settledWith: [customers[1], payments[0]])
            }
            #expect(try await journal.eraseCustomerData(of: "A", at: .wholeSecond + 60))
            for (keys, found) in [(customers, ["B"]), (payments, ["B", "A"])] {
                for key in keys {
                    var query = PaymentQuery()
                    query.keys = [key]
                    #expect(try await journal.all(query) == found)
                }
            }
        },
        JournalPromise("a payment that is claimed again is found by its last claim alone") { journal async throws in
            var first = Claim.sample("A", token: 1)
            first.addKey(.customerEmail("first@example.com"))
            _ = try await journal.claim(first)
            _ = try await journal.transition(
                first.payment, receipt: nil, because: HistoryEntry(at: .wholeSecond, state: .notSent))
            var second = Claim.sample("A", token: 2, at: .wholeSecond + 5)
            second.addKey(.customerEmail("second@example.com"))
            #expect(try await journal.claim(second) == .claimed)
            for (email, found) in [("first@example.com", []), ("second@example.com", ["A"])] {
                var query = PaymentQuery()
                query.keys = [.customerEmail(email)]
                #expect(try await journal.all(query) == found)
            }
        },
        JournalPromise("payments made elsewhere, and what a later change brings, are found") { journal async throws in
            let payment = Payment(
                merchantReference: "E", command: .purchase, amount: 7, currency: "AED", fingerprint: nil,
                appleTransactionIdentifier: nil, claimedAt: .wholeSecond, state: .captured)
            var entry = HistoryEntry(at: .wholeSecond, state: .captured)
            entry.searchKeys = [.fortIdentifier("12"), .cardLastFour("4242"), .customerEmail("e@example.com")]
            #expect(try await journal.record(payment, because: entry))
            let known = try #require(try await journal.payment("E"))
            var change = HistoryEntry(at: .wholeSecond + 1, state: .captured)
            change.searchKeys = [.fortIdentifier("13")]
            #expect(try await journal.compareAndSet(known, to: known, because: change))
            for key in entry.searchKeys + change.searchKeys {
                var query = PaymentQuery()
                query.keys = [key]
                #expect(try await journal.all(query) == ["E"])
            }
            #expect(try await journal.history(of: "E").flatMap(\.searchKeys) == [])
        },
        JournalPromise("what needs attention is open for too long, or has dead-lettered events") {
            journal async throws in
            for (number, reference) in ["late", "new", "done", "dead", "both"].enumerated() {
                _ = try await journal.claim(
                    .sample(reference, token: number, at: .wholeSecond + (reference == "new" ? 100 : Double(number))))
            }
            let entry = HistoryEntry(at: .wholeSecond, state: .captured, event: [1])
            for reference in ["done", "dead"] {
                _ = try await journal.transition(reference, from: .processing, receipt: nil, because: entry)
            }
            let uncertain = HistoryEntry(at: .wholeSecond, state: .uncertain, event: [1])
            _ = try await journal.transition("both", from: .processing, receipt: nil, because: uncertain)
            for event in try await journal.leaseEvents(limit: 9, at: .wholeSecond + 9, until: .wholeSecond + 10)
            where event.merchantReference != "done" {
                try await journal.postpone(event, until: nil)
            }
            var query = PaymentQuery()
            query.needsAttention = true
            query.overdueBefore = .wholeSecond + 50
            #expect(try await journal.all(query) == ["both", "dead", "late"])
            #expect(try await journal.all(query, limit: 1) == ["both", "dead", "late"])
            query.outcome = .uncertain
            #expect(try await journal.all(query) == ["both"])
        },
    ]
}

extension Journal {
    /// Claims a payment as it is described, and settles it unless it is to stay open.
    public func add(
        _ reference: String, token: Int, at moment: Date = .wholeSecond, amount: Int = 700, currency: String = "KWD",
        command: Order.Command = .purchase, account: String? = nil, client: String? = nil,
        state: PaymentState = .captured, keys: [SearchKey] = [], settledWith settledKeys: [SearchKey] = []
    ) async throws {
        let sample = Claim.sample(reference, token: token)
        let payment = Payment(
            merchantReference: reference, command: command, amount: try #require(MinorUnits(amount)),
            currency: currency,
            fingerprint: sample.payment.fingerprint,
            appleTransactionIdentifier: sample.payment.appleTransactionIdentifier, claimedAt: moment, account: account,
            client: client)
        var entry = HistoryEntry(at: moment, state: .processing)
        entry.searchKeys = keys
        #expect(
            try await claim(Claim(payment: payment, token: sample.token, idempotencyKey: nil, entry: entry)) == .claimed
        )
        var settled = HistoryEntry(at: moment, state: state)
        settled.searchKeys = settledKeys
        #expect(try await transition(payment, receipt: Array(#"{"a":1}"#.utf8), because: settled))
    }

    /// The references of every page.
    public func all(_ query: PaymentQuery, limit: Int = 50) async throws -> [String] {
        var (query, found) = (query, [String]())
        query.limit = limit
        repeat {
            let page = try await search(query)
            #expect(page.payments.count <= limit)
            found += page.payments.map(\.merchantReference)
            query.after = page.next
        } while query.after != nil && found.count < 1_000
        return found
    }
}

extension Claim {
    fileprivate mutating func addKey(_ key: SearchKey) {
        var entry = entry
        entry.searchKeys.append(key)
        self = Claim(payment: payment, token: token, idempotencyKey: idempotencyKey, entry: entry)
    }
}
