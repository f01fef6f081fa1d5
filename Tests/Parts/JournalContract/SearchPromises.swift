public import Foundation
public import PaymentRelay
public import PayrelayPrimitives
import Testing

extension JournalPromise {
    static let search: [JournalPromise] = [
        JournalPromise("payments are found newest first, page by page, each once") { journal async throws in
            // Several payments have the same time: the reference decides their order.
            for number in 0..<23 {
                try await journal.add("P-\(100 + number)", token: number, at: .wholeSecond + Double(number / 5))
            }
            for limit in [1, 2, 5, 7, 22, 23, 24] {
                let found = try await journal.all(PaymentQuery(), limit: limit)
                #expect(found == (0..<23).reversed().map { "P-\(100 + $0)" }, "pages of \(limit)")
            }
        },
        JournalPromise("every filter finds its payments and no others, and several filters apply together") {
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
            try await expect([10, 11], "prefix in another case") { $0.merchantReferencePrefix = "oRDer-2" }
            try await expect([0, 3, 6, 9], "amount") { $0.amounts = 100...100 }
            try await expect([1, 7, 10], "amount in major units") {
                $0.amountInAnyCurrency = AmountInAnyCurrency(byExponent: [2: 200, 3: 2_000])
            }
            try await expect([0], "amount in major units of three decimals") {
                $0.amountInAnyCurrency = AmountInAnyCurrency(byExponent: [2: 10, 3: 100])
                $0.currency = "KWD"
            }
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
        JournalPromise("a search for card digits finds the gateway's and the phone's digits, each payment once") {
            journal async throws in
            for (number, (card, displayed)) in [("0492", "1111"), ("0492", "0492"), ("1111", nil), (nil, "0492")]
                .enumerated()
            {
                try await journal.add(
                    "P-\(number)", token: number, at: .wholeSecond + Double(number),
                    searched: Searched(card: card, displayed: displayed))
            }
            for limit in [1, 2, 10] {
                #expect(try await journal.all(Searched(card: "0492").query, limit: limit) == ["P-3", "P-1", "P-0"])
            }
            var query = Searched(card: "0492").query
            query.merchantReferencePrefix = "p-0"
            #expect(try await journal.all(query) == ["P-0"])
        },
        JournalPromise("a query's payments are counted and added up by currency, the same on each page") {
            journal async throws in
            for number in 0..<7 {
                try await journal.add(
                    "P-\(number)", token: number, at: .wholeSecond + Double(number), amount: 9_999_999_999,
                    currency: number == 0 ? "KWD" : "AED", client: number == 6 ? "other" : "shop",
                    state: number == 5 ? .declined : .captured)
            }
            var query = PaymentQuery(visibleTo: .payments(VisiblePayments(of: "shop")))
            query.limit = 1
            query.after = PaymentCursor(at: .wholeSecond + 2, merchantReference: "P-2")
            func sum(_ currency: String, _ count: Int) -> PaymentTotals.Sum {
                PaymentTotals.Sum(
                    currency: currency, count: count, amount: count * 9_999_999_999, captured: 0, refunded: 0)
            }
            #expect(
                try await journal.totals(of: query)
                    == PaymentTotals(sums: [sum("AED", 5), sum("KWD", 1)], lookedAt: nil))
            query.merchantReferencePrefix = "p-"
            query.outcome = .declined
            #expect(
                try await journal.totals(of: query) == PaymentTotals(sums: [sum("AED", 1)], lookedAt: nil))
            query.client = "other"
            #expect(try await journal.totals(of: query) == PaymentTotals(sums: [], lookedAt: nil))
            let elsewhere = Payment(
                merchantReference: "E", command: .purchase, amount: 900, currency: "SAR", fingerprint: nil,
                appleTransactionIdentifier: nil, claimedAt: .wholeSecond, gateway: "fort",
                state: .partiallyRefunded, balance: Balance(captured: 900, refunded: 250))
            #expect(
                try await journal.record(elsewhere, because: HistoryEntry(at: .wholeSecond, state: elsewhere.state)))
            query = PaymentQuery()
            query.currency = "SAR"
            #expect(
                try await journal.totals(of: query).sums
                    == [PaymentTotals.Sum(currency: "SAR", count: 1, amount: 900, captured: 900, refunded: 250)])
        },
        JournalPromise("S7: a client's every search finds its own payments only") { journal async throws in
            let all = Searched(card: "1111", phone: "0501234567", name: "Jane Doe")
            try await journal.add("A", token: 1, client: "shop", searched: all)
            try await journal.add("B", token: 2, client: "other", searched: all)
            try await journal.add("C", token: 3, client: nil, searched: all)
            var query = PaymentQuery(visibleTo: .payments(VisiblePayments(of: "shop")))
            #expect(try await journal.all(query) == ["A"])
            for searched in [Searched(card: all.card), Searched(phone: all.phone), Searched(name: all.name)] {
                var own = searched.query
                own.visibleTo = query.visibleTo
                #expect(try await journal.all(own) == ["A"])
                #expect(try await journal.all(searched.query) == ["C", "B", "A"])
            }
            query.changedFrom = .wholeSecond
            query.cardLastFour = "1111"
            #expect(try await journal.all(query) == ["A"])
            query.client = "other"
            #expect(try await journal.all(query) == [])
            query = PaymentQuery(visibleTo: .payments(VisiblePayments(of: "shop")))
            query.merchantReference = "B"
            #expect(try await journal.all(query) == [])
            #expect(try await journal.all(PaymentQuery()) == ["C", "B", "A"])
        },
        JournalPromise(
            "S7: a client with the scope finds external payments among its own, in order, page by page"
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
                        claimedAt: at, gateway: "fort", account: "aed", state: .captured)
                    #expect(try await journal.record(payment, because: HistoryEntry(at: at, state: .captured)))
                } else {
                    try await journal.add(
                        reference, token: number, at: at, currency: number % 2 == 0 ? "AED" : "KWD",
                        client: [nil, "shop", "other"][number % 3])
                }
            }
            // No client claimed this payment, so no client sees it.
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
        JournalPromise("S7: an external payment whose reference another client takes belongs to that client only") {
            journal async throws in
            let payment = Payment(
                merchantReference: "E", command: .purchase, amount: 7, currency: "AED", fingerprint: nil,
                appleTransactionIdentifier: nil, claimedAt: .wholeSecond, gateway: "fort", account: "aed",
                state: .captured)
            _ = try await journal.record(payment, because: HistoryEntry(at: .wholeSecond, state: .captured))
            // A payment at the very moment is found, too.
            #expect(
                try await journal.claim(.sample("E", token: 1, account: "kwd", client: "other"))
                    == .written)
            for (client, found) in [("shop", []), ("other", ["E"])] {
                let visible = VisiblePayments(of: client, includingMadeElsewhere: true)
                #expect(try await journal.all(PaymentQuery(visibleTo: .payments(visible))) == found)
            }
        },
        JournalPromise("every character of a reference's prefix stands only for itself") { journal async throws in
            let references = ["A%B", "A_B", "AxB", "A*B", "A[B", "A\\B", "A~", "A"]
            for (number, reference) in references.enumerated() {
                try await journal.add(reference, token: number, at: .wholeSecond + Double(number))
            }
            let expected = [
                "%": [], "A%": ["A%B"], "A_": ["A_B"], "A*": ["A*B"], "A[": ["A[B"], "A\\": ["A\\B"], "A~": ["A~"],
                "a": references.reversed(), "A": references.reversed(), "A'": [], "A' OR 1=1 --": [],
            ]
            for (prefix, found) in expected {
                var query = PaymentQuery()
                query.merchantReferencePrefix = prefix
                #expect(try await journal.all(query) == Array(found), "\(prefix)")
            }
        },
        JournalPromise("payments are found by texts of the order and of the answer") { journal async throws in
            try await journal.add(
                "A", token: 1,
                searched: Searched(
                    email: "Sara@Example.com ", apple: "ab01", gateway: "149295435400084008", card: "1111"))
            try await journal.add(
                "B", token: 2, at: .wholeSecond + 1,
                searched: Searched(email: "omar@example.com", gateway: "149295435400084009", card: "1111"))
            let expected: [(Searched, [String])] = [
                (Searched(email: " sara@example.COM"), ["A"]), (Searched(apple: "ab01"), ["A"]),
                (Searched(gateway: "149295435400084009"), ["B"]), (Searched(card: "1111"), ["B", "A"]),
                (Searched(email: "sara@example.com", card: "1111"), ["A"]),
                (Searched(email: "sara@example.com", gateway: "149295435400084009"), []),
                (Searched(card: "1112"), []), (Searched(gateway: "1111"), []), (Searched(email: "1111"), []),
            ]
            for (searched, found) in expected {
                var query = searched.query
                #expect(try await journal.all(query) == found, "\(searched)")
                query.currency = "KWD"
                #expect(try await journal.all(query, limit: 1) == found, "\(searched)")
            }
        },
        JournalPromise("a customer is found by the phone number in each spelling, and by the whole name in each order")
        {
            journal async throws in
            let customers = [
                ("+971 50 123 4567", "Jane Doe"), ("(050) 123-4567", "DOE, Jáne"), ("00971501234568", "Jane Mary Doe"),
                ("1", "سارة القحطاني"), ("", "\u{202E}\u{0}\u{1}"), ("4567", String(repeating: "ب", count: 5_000)),
            ]
            for (number, (phone, name)) in customers.enumerated() {
                try await journal.add(
                    "P-\(number)", token: number, at: .wholeSecond + Double(number),
                    searched: Searched(phone: phone, name: name))
            }
            for limit in [1, 10] {
                for phone in ["00971501234567", "0501234567", "٠٥٠ ١٢٣ ٤٥٦٧"] {
                    #expect(try await journal.all(Searched(phone: phone).query, limit: limit) == ["P-1", "P-0"])
                }
                #expect(try await journal.all(Searched(name: "doe jane").query, limit: limit) == ["P-1", "P-0"])
            }
            #expect(try await journal.all(Searched(name: "القحطانى سَارة").query) == ["P-3"])
            for name in ["Jane", "Jane Doe Jane"] { #expect(try await journal.all(Searched(name: name).query) == []) }
            var query = Searched(phone: "0501234567", name: "Jane Doe").query
            query.merchantReferencePrefix = "P-0"
            #expect(try await journal.all(query) == ["P-0"])
            #expect(try await journal.payment("P-4")?.customer.name == "\u{202E}\u{FFFD}\u{1}")
        },
        JournalPromise(
            "payments are found by the gateway's code, the card's network and the bank's code, in any case"
        ) {
            journal async throws in
            let answers: [JSONObject] = [
                ["response_code": "14008", "payment_option": "MADA", "authorization_code": "S0A001"],
                ["response_code": "14000", "payment_option": "VISA"],
                ["response_message": #""response_code":"14008""#, "status": "response_code"],
                ["response_code": "140080"], ["response_code": "14008", "response_message": "رُفض \" \\"],
            ]
            for (number, summary) in answers.enumerated() {
                try await journal.add(
                    "P-\(number)", token: number, at: .wholeSecond + Double(number), currency: "AED",
                    state: number == 4 ? .declined : .captured,
                    searched: Searched(network: number == 3 ? "mada" : nil), summary: summary)
            }
            _ = try await journal.claim(.sample("open", token: 9))
            func expect(_ numbers: [Int], _ set: (inout PaymentQuery) -> Void) async throws {
                var query = PaymentQuery()
                set(&query)
                for limit in [1, 10] {
                    #expect(
                        try await journal.all(query, limit: limit) == numbers.map { "P-\($0)" }, "\(query)")
                }
                let count = numbers.isEmpty ? [] : [numbers.count]
                #expect(try await journal.totals(of: query).sums.map(\.count) == count, "\(query)")
            }
            try await expect([4, 0]) { $0.responseCode = AnsweredText("14008", in: ["response_code", "other"]) }
            try await expect([4]) {
                $0.responseCode = AnsweredText("14008", in: ["response_code"])
                $0.outcome = .declined
            }
            try await expect([0]) { $0.authorizationCode = AnsweredText("s0a001", in: ["authorization_code"]) }
            try await expect([3, 0]) { $0.cardNetwork = AnsweredText("Mada", in: ["payment_option"]) }
            try await expect([]) { $0.responseCode = AnsweredText("1400", in: ["response_code"]) }
            try await expect([]) { $0.responseCode = AnsweredText("14008", in: []) }
            for value in ["", "1%", "1\"", "\\", "é", "1\u{0}", String(repeating: "1", count: 41)] {
                #expect(AnsweredText(value, in: ["response_code"]) == nil)
            }
        },
        JournalPromise("payments are found by the time of a change, independently of their age") {
            journal async throws in
            for number in 0..<6 {
                try await journal.add("P-\(number)", token: number, at: .wholeSecond + Double(number), currency: "AED")
            }
            for number in [0, 3] {
                let payment = try #require(try await journal.payment("P-\(number)"))
                var changed = payment
                changed.taken = Taken(by: "sara", at: .wholeSecond + 60)
                let entry = HistoryEntry(at: .wholeSecond + 60 + Double(number), state: .captured)
                #expect(try await journal.compareAndSet(payment, to: changed, because: entry))
            }
            // An erasure is not a change that operators search for.
            let erased = try await journal.eraseCustomerData(
                of: "P-1", at: .wholeSecond + 70, knowing: .sample, because: .retention)
            #expect(erased)
            for (seconds, found) in [(0, [5, 4, 3, 2, 1, 0]), (5, [5, 3, 0]), (60, [3, 0]), (61, [3]), (64, [])] {
                var query = PaymentQuery()
                query.changedFrom = .wholeSecond + Double(seconds)
                for limit in [1, 2, 10] {
                    #expect(try await journal.all(query, limit: limit) == found.map { "P-\($0)" }, "\(seconds)")
                }
                #expect(try await journal.totals(of: query).sums.map(\.count) == (found.isEmpty ? [] : [found.count]))
                var filtered = query
                filtered.merchantReferencePrefix = "p-"
                #expect(try await journal.all(filtered) == found.map { "P-\($0)" }, "\(seconds)")
                query.claimedTo = .wholeSecond + 3
                #expect(try await journal.all(query) == found.filter { $0 < 3 }.map { "P-\($0)" }, "\(seconds)")
            }
        },
        JournalPromise("erased customer data is not found any more, and the payment is") { journal async throws in
            var all = Searched(
                email: "sara@example.com", gateway: "149295435400084008", card: "1111", phone: "+971501234567",
                name: "Sara Ali")
            for (number, reference) in ["A", "B"].enumerated() {
                all.apple = "ab0\(number)"
                try await journal.add(
                    reference, token: number, at: .wholeSecond + Double(number), searched: all,
                    summary: ["card_number": "411111******1111", "response_message": "Success"])
            }
            #expect(try await journal.eraseCustomerData(of: "A", at: .wholeSecond + 60, knowing: .sample))
            for searched in [
                Searched(email: all.email), Searched(card: all.card), Searched(phone: all.phone),
                Searched(name: all.name),
            ] {
                #expect(try await journal.all(searched.query) == ["B"])
            }
            #expect(try await journal.all(Searched(gateway: all.gateway).query) == ["B", "A"])
            for (apple, found) in [("ab00", "A"), ("ab01", "B")] {
                #expect(try await journal.all(Searched(apple: apple).query) == [found])
            }
            #expect(try await journal.payment("A")?.summary == ["response_message": "Success"])
            #expect(try await journal.payment("B")?.summary["card_number"] == "411111******1111")
        },
        JournalPromise(
            "Apple's identifier finds the payment that holds the token, and earlier payments that released it"
        ) {
            journal async throws in
            for (number, reference) in ["A", "B", "C"].enumerated() {
                let claim = Change.sample(reference, token: 7, at: .wholeSecond + Double(number))
                #expect(try await journal.claim(claim) == .written)
                guard reference != "C" else { break }
                let unsent = HistoryEntry(at: .wholeSecond + Double(number), state: .notSent)
                #expect(try await journal.transition(claim.after, receipt: nil, because: unsent))
            }
            let query = Searched(apple: "ab7").query
            #expect(try await journal.all(query) == ["C", "B", "A"])
            #expect(try await journal.all(query, limit: 1) == ["C", "B", "A"])
            #expect(try await journal.all(Searched(apple: "ab").query) == [])
        },
        JournalPromise("a payment that is claimed again is found by its last claim only") { journal async throws in
            let first = Change.sample("A", token: 1, email: "first@example.com")
            _ = try await journal.claim(first)
            _ = try await journal.transition(
                first.after, receipt: nil, because: HistoryEntry(at: .wholeSecond, state: .notSent))
            let second = Change.sample("A", token: 2, at: .wholeSecond + 5, email: "second@example.com")
            #expect(try await journal.claim(second) == .written)
            #expect(try await journal.all(Searched(email: "first@example.com").query) == [])
            #expect(try await journal.all(Searched(name: "سارة").query) == ["A"])
            #expect(try await journal.payment("A")?.customer == second.after.customer)
            #expect(try await journal.all(Searched(email: "second@example.com").query) == ["A"])
        },
        JournalPromise("external payments are found, also by texts that a later answer to their charge has") {
            journal async throws in
            var payment = Payment(
                merchantReference: "E", command: .purchase, amount: 7, currency: "AED", fingerprint: nil,
                appleTransactionIdentifier: nil, claimedAt: .wholeSecond, gateway: "fort", state: .captured,
                gatewayReference: "12", cardLastFour: "4242", emailDigest: EmailDigest(of: "e@example.com"),
                summary: ["fort_id": "12"])
            #expect(try await journal.record(payment, because: HistoryEntry(at: .wholeSecond, state: .captured)))
            #expect(try await journal.payment("E") == payment)
            for searched in [Searched(email: "e@example.com"), Searched(gateway: "12"), Searched(card: "4242")] {
                #expect(try await journal.all(searched.query) == ["E"])
            }
            let known = payment
            payment.gatewayReference = "13"
            payment.summary = ["fort_id": "13"]
            payment.customer = CustomerDetails(
                email: "e@example.com", name: "Elif Demir", phoneNumber: "+971 50 123 4567", cardNetwork: "Visa")
            let change = HistoryEntry(at: .wholeSecond + 1, state: .captured)
            #expect(try await journal.compareAndSet(known, to: payment, because: change))
            #expect(try await journal.all(Searched(gateway: "13").query) == ["E"])
            for searched in [Searched(name: "Elif Demir"), Searched(phone: "050 123 4567")] {
                #expect(try await journal.all(searched.query) == ["E"])
            }
            #expect(try await journal.all(Searched(gateway: "12").query) == [])
            payment.version = 2
            #expect(try await journal.payment("E") == payment)
        },
        JournalPromise("payments that are open for too long or have dead-lettered events need attention") {
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
            for event in try await journal.lease(
                DueEvent.self, of: nil, limit: 9, at: .wholeSecond + 9, until: .wholeSecond + 10)
            where event.merchantReference != "done" {
                try await journal.postpone(event, until: nil)
            }
            var query = PaymentQuery()
            query.needsAttention = true
            query.notOverdueIn = Date.wholeSecond + 50...Date.distantFuture
            #expect(try await journal.all(query) == ["both", "dead", "late"])
            #expect(try await journal.all(query, limit: 1) == ["both", "dead", "late"])
            query.outcome = .uncertain
            #expect(try await journal.all(query) == ["both"])
        },
    ]
}

extension Journal {
    /// Claims a payment as described, and records its outcome unless the payment is to stay open.
    public func add(
        _ reference: String, token: Int, at moment: Date = .wholeSecond, amount: Int = 700, currency: String = "KWD",
        command: Order.Command = .purchase, account: String? = nil, client: String? = nil,
        state: PaymentState = .captured, searched: Searched = Searched(), summary: JSONObject = JSONObject()
    ) async throws {
        let sample = Change.sample(reference, token: token)
        let payment = Payment(
            merchantReference: reference, command: command, amount: try #require(MinorUnits(amount)),
            currency: currency,
            fingerprint: sample.after.fingerprint,
            appleTransactionIdentifier: searched.apple ?? sample.after.appleTransactionIdentifier, claimedAt: moment,
            gateway: "fort",
            account: account, client: client, emailDigest: searched.email.map { EmailDigest(of: $0) },
            customer: CustomerDetails(
                name: searched.name, phoneNumber: searched.phone,
                cardDisplayName: searched.displayed.map { "Visa \($0)" }, cardNetwork: searched.network))
        let entry = HistoryEntry(at: moment, state: .processing)
        #expect(
            try await claim(
                Change(claiming: payment, token: sample.claimed?.token, idempotencyKey: nil, because: entry))
                == .written
        )
        var settled = payment
        settled.state = state
        settled.receipt = Array(#"{"a":1}"#.utf8)
        (settled.gatewayReference, settled.cardLastFour) = (searched.gateway, searched.card)
        settled.summary = summary
        let change = Change(from: payment, to: settled, because: HistoryEntry(at: moment, state: state))
        #expect(try await commit(change) == .written)
    }

    /// Returns the references of every page.
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

/// The values by which a payment is searched.
public struct Searched: Sendable {
    public var email: String?
    public var apple: String?
    public var gateway: String?
    public var card: String?
    /// The last four digits of the card, as the phone shows them.
    public var displayed: String?
    public var phone: String?
    public var name: String?
    public var network: String?

    public init(
        email: String? = nil, apple: String? = nil, gateway: String? = nil, card: String? = nil,
        displayed: String? = nil, phone: String? = nil, name: String? = nil, network: String? = nil
    ) {
        self.phone = phone
        self.name = name
        self.network = network
        self.email = email
        self.apple = apple
        self.gateway = gateway
        self.card = card
        self.displayed = displayed
    }

    /// A query for payments with all of these values.
    public var query: PaymentQuery {
        var query = PaymentQuery()
        query.emailDigest = email.map { EmailDigest(of: $0) }
        query.appleTransactionIdentifier = apple
        query.gatewayReference = gateway
        query.cardLastFour = card
        query.phoneDigest = phone.flatMap { PhoneDigest(of: $0) }
        query.nameDigest = name.flatMap { NameDigest(of: $0) }
        query.cardNetwork = network.flatMap { AnsweredText($0, in: ["payment_option"]) }
        return query
    }
}
