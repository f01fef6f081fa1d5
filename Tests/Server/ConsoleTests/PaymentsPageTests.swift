import AccessControl
import Foundation
import HTTPTypes
import JournalContract
import PaymentRelay
import PayrelayPrimitives
import Testing

@testable import Console

/// The list of payments: the search box's input, and that no filter is hidden.
@Suite struct PaymentsPageTests {
    private let bench: ConsoleBench
    private let browser: Browser
    private let start = Date()

    init() async throws {
        bench = try ConsoleBench()
        browser = try await bench.browser(.viewer)
    }

    private func add(
        _ reference: String, amount: MinorUnits = 10_000, currency: String = "AED", state: PaymentState = .captured,
        email: String = "sara@example.com", card: String = "1111", fortID: String = "149295435400084008",
        phone: String? = nil, name: String? = nil, answer: JSONObject = [:], secondsAgo: Double = 0
    ) async {
        let moment = start.addingTimeInterval(-secondsAgo)
        var summary: JSONObject = [
            "card_number": .string("411111******\(card)"), "fort_id": .string(fortID),
            "response_message": "<b>Success</b>",
        ]
        for member in answer.members { summary[member.name] = member.value }
        _ = await bench.journal.commit(
            Change(
                from: nil,
                to: Payment(
                    merchantReference: reference, command: .purchase, amount: amount, currency: currency,
                    fingerprint: nil,
                    appleTransactionIdentifier: nil, claimedAt: moment, gateway: "fort", account: "default",
                    client: "shop",
                    state: state,
                    balance: Balance(captured: state == .captured ? amount : .zero),
                    receipt: JSON.object(summary).encoded(), gatewayReference: fortID, cardLastFour: card,
                    emailDigest: EmailDigest(of: email), customer: CustomerDetails(name: name, phoneNumber: phone),
                    summary: summary),
                because: HistoryEntry(at: moment, state: state)))
    }

    /// Returns the references in the order of the page.
    private func found(_ query: String) async throws -> [String] {
        let answer = try await browser.get("/console/payments?\(query)")
        #expect(answer.status == 200, "\(query)")
        return answer.text.matches(of: /<th scope="row"><a href="[^"]*"><bdi>([^<]*)<\/bdi>/).map {
            String($0.output.1)
        }
    }

    @Test("The search box understands a reference, an email address, four digits and FORT's number")
    func searchBox() async throws {
        await add("ORDER-1", email: "sara@example.com", card: "1111", fortID: "149295435400084008", secondsAgo: 20)
        await add("ORDER-2", email: "omar@example.com", card: "2222", fortID: "149295435400084009", secondsAgo: 10)
        await add("SHOP-3", email: "omar@example.com", card: "0492", fortID: "149295435400084010")
        #expect(try await found("q=Omar%40Example.com") == ["SHOP-3", "ORDER-2"])
        #expect(try await found("q=0492") == ["SHOP-3"])
        #expect(try await found("q=149295435400084008") == ["ORDER-1"])
        #expect(try await found("q=ORDER-") == ["ORDER-2", "ORDER-1"])
        let exact = try await browser.get("/console/payments?q=ORDER-1")
        #expect(exact.status == 303 && exact.headers[.location] == "/console/payment?reference=ORDER-1")
        #expect(try await found("q=ORDER-1&outcome=captured") == ["ORDER-1"])
    }

    @Test("The search box takes amounts, days, references in any case and masked cards, and adds up what it finds")
    func searchBoxAsPeoplePaste() async throws {
        await add("Order-1", amount: 34_950, card: "1111", secondsAgo: 3 * 86_400)
        await add("ORDER-2", amount: 34_950, currency: "KWD", card: "2222", secondsAgo: 2)
        await add("SHOP-3", amount: 349_500, currency: "KWD", card: "0492", secondsAgo: 1)
        await add("SHOP-4", amount: 125_000, card: "0492")
        #expect(try await found("q=349.50+AED") == ["Order-1"])
        #expect(try await found("q=349,50") == ["SHOP-3", "Order-1"])
        #expect(try await found("amount=349.50") == ["SHOP-3", "Order-1"])
        #expect(try await found("q=1,250.00") == ["SHOP-4"])
        #expect(try await found("q=****+0492") == ["SHOP-4", "SHOP-3"])
        #expect(try await found("q=order-") == ["ORDER-2", "Order-1"])
        #expect(try await found("claimed_from=last+2+days").count == 3)
        #expect(try await found("q=last+7+days").count == 4)
        let exact = try await browser.get("/console/payments?q=order-1")
        #expect(exact.status == 303 && exact.headers[.location] == "/console/payment?reference=Order-1")
        let page = try await browser.get("/console/payments?q=****+0492").text
        #expect(page.contains("<b>1 payment</b>, 1,250.00 AED; captured 1,250.00 AED"))
        #expect(page.contains("<b>1 payment</b>, 349.500 KWD; captured 349.500 KWD"))
        // Without a search there is no sum, which would be a sum of all payments.
        #expect(try await !browser.get("/console/payments").text.contains("payments</b>"))
    }

    @Test(
        "The search box takes phone numbers, names and authorization codes as people paste them, and says what it takes"
    )
    func searchBoxTakesCustomers() async throws {
        await add("ORDER-1", phone: "+971 50 123 4567", name: "Jane Doe", secondsAgo: 9)
        await add("ORDER-2", phone: "0501234568", name: "سارة القحطاني", answer: ["authorization_code": "S0A001"])
        for phone in ["%2B971+50+123+4567", "(050)+123-4567", "phone+501234567"] {
            #expect(try await found("q=\(phone)") == ["ORDER-1"], "\(phone)")
        }
        for name in ["doe+jane", "Doe,+Jane", "J%C3%A1ne+DOE"] { #expect(try await found("q=\(name)") == ["ORDER-1"]) }
        #expect(
            try await found("q=%D8%A7%D9%84%D9%82%D8%AD%D8%B7%D8%A7%D9%86%D9%8A+%D8%B3%D8%A7%D8%B1%D9%87") == [
                "ORDER-2"
            ])
        // A text that is not the reference of a payment is tried with its other possible meanings.
        for (text, other) in [("00971501234567", "phone"), ("0501234567", "phone"), ("s0a001", "auth")] {
            let answer = try await browser.get("/console/payments?q=\(text)&outcome=captured&zone=Z")
            #expect(answer.status == 303, "\(text)")
            #expect(answer.headers[.location] == "/console/payments?q=\(other)%20\(text)&outcome=captured&zone=Z")
        }
        #expect(try await found("q=auth+s0a001") == ["ORDER-2"])
        #expect(try await found("q=0501239999") == [])
        #expect(try await found("q=Jane") == [])
        let short = try await browser.get("/console/payments?q=%2B971+50")
        #expect(short.status == 400 && short.text.contains("The search box takes a phone number of 8 to 17 digits."))
        let support = try await bench.browser(.support)
        for (text, word) in [("doe+jane", "name"), ("%2B971501234567", "phone")] {
            let file = try await support.get("/console/payments.csv?q=\(text)").headers[.contentDisposition]
            #expect(file?.contains("payments_\(word)_") == true, "\(file ?? "")")
        }
        let payment = try #require(try await bench.relay.payment("ORDER-1"))
        #expect(try await bench.journal.eraseCustomerData(of: payment.merchantReference, at: Date(), knowing: .sample))
        for text in ["doe+jane", "(050)+123-4567"] { #expect(try await found("q=\(text)") == []) }
    }

    @Test("A gateway's short number is found if no reference begins with it, before a phone number with the same end")
    func shortNumbersOfGateways() async throws {
        await add("ORDER-1", fortID: "987654321", secondsAgo: 9)
        await add("ORDER-2", phone: "+971587654321")
        let answer = try await browser.get("/console/payments?q=987654321")
        #expect(answer.status == 303)
        #expect(answer.headers[.location] == "/console/payments?q=gateway%20987654321")
        #expect(try await found("q=gateway+987654321") == ["ORDER-1"])
        await add("987654321-A")
        #expect(try await found("q=987654321") == ["987654321-A"])
    }

    @Test("Codes, card networks and the time of the last change are filters")
    func filtersOfAnswers() async throws {
        await add(
            "A", state: .declined, answer: ["response_code": "14008", "payment_option": "MADA"], secondsAgo: 3 * 86_400)
        await add("B", answer: ["response_code": "14000", "payment_option": "VISA"], secondsAgo: 2)
        #expect(try await found("response_code=14008&outcome=declined&claimed_from=last+7+days") == ["A"])
        #expect(try await found("card_network=mada") == ["A"])
        #expect(try await found("changed_from=today").allSatisfy { $0 == "B" })
        #expect(try await found("changed_from=last+7+days") == ["B", "A"])
        let page = try await browser.get("/console/payments?changed_from=noon&response_code=%25")
        #expect(page.status == 400 && page.text.contains("Changed since must be a day"))
        let code = try await browser.get("/console/payments?response_code=%25&card_network=Visa")
        #expect(code.status == 400 && code.text.contains("Code must be 1 to 40 letters and digits."))
        #expect(
            code.text.contains(#"name="card_network" maxlength="40" autocomplete="off" list="networks" value="Visa""#))
    }

    @Test("A payment without the gateway's card data shows the order's and the phone's")
    func showsWhatTheOrderSaid() async throws {
        let payment = Payment(
            merchantReference: "ORDER-7", command: .purchase, amount: 10_000, currency: "AED", fingerprint: nil,
            appleTransactionIdentifier: nil, claimedAt: Date(), gateway: "fort", state: .captured,
            balance: Balance(captured: 10_000), receipt: Array(#"{"processor_response":{"status":"14"}}"#.utf8),
            customer: CustomerDetails(
                email: "sara@example.com", name: "سارة <i>", phoneNumber: "+971501234567", cardDisplayName: "Visa 0492"),
            summary: ["card_number": "400555******0001"])
        _ = try await bench.journal.record(payment, because: HistoryEntry(at: Date(), state: .captured))
        let page = try await browser.get("/console/payment?reference=ORDER-7").text
        for text in ["sara@example.com", "سارة &lt;i&gt;", "501234567", "Visa 0492", "400555******0001"] {
            #expect(page.contains(text), "\(text)")
        }
    }

    @Test("Without a filter every payment is listed, the newest first, and every filter is in the form")
    func filters() async throws {
        await add("A", secondsAgo: 20)
        await add("B", amount: 10_000, currency: "KWD", secondsAgo: 10)
        await add("C", amount: 500, state: .declined)
        #expect(try await found("") == ["C", "B", "A"])
        #expect(try await found("q=&outcome=&amount=&currency=") == ["C", "B", "A"])
        #expect(try await found("outcome=declined") == ["C"])
        #expect(try await found("amount=10.000&currency=KWD") == ["B"])
        #expect(try await found("amount=100.00&currency=AED") == ["A"])
        for range in ["4-6", "4..6", "4+%E2%80%93+6.00", "-99.99", "%D9%A4-%D9%A6"] {
            #expect(try await found("amount=\(range)&currency=AED") == ["C"], "\(range)")
        }
        #expect(try await found("amount=5.01-&currency=AED") == ["A"])
        #expect(try await found("amount=5-100&currency=AED") == ["C", "A"])
        let page = try await browser.get("/console/payments?outcome=declined&currency=AED&client=shop").text
        #expect(page.contains(#"<option value="declined" selected>"#))
        #expect(page.contains(#"name="currency" maxlength="3" autocomplete="off" value="AED""#))
        #expect(page.contains(#"name="client" maxlength="200" autocomplete="off" value="shop""#))
    }

    @Test(
        "A filter that cannot be read is named, and finds nothing",
        arguments: [
            ("amount=1e3&currency=AED", "Amount"), ("q=Sara+2", "The search box found nothing to search for"),
            ("q=4111+1111+1111+1111", "The search box takes no whole card number"), ("amount=1.23456", "Amount"),
            ("amount=1-2", "Amount"), ("amount=-&currency=AED", "Amount"), ("amount=1-2-3&currency=AED", "Amount"),
            ("amount=2-1&currency=AED", "Amount"), ("amount=1-1.234&currency=AED", "Amount"),
            ("q=1.00+AED&currency=KWD", "The search box has another amount"),
            ("currency=XXQ", "Currency"),
            ("outcome=paid", "Outcome"), ("claimed_from=the+day+before", "From"), ("after=AAAA", "The page"),
            ("claimed_from=2026-01-31+25:00", "From"), ("claimed_from=2026-01-31+11:3", "From"),
            ("claimed_to=2026-02-30", "Before"), ("claimed_from=2026-01-31&zone=Dubai", "Zone"),
            ("claimed_from=2026-01-31&zone=%2B24:00", "Zone"), ("claimed_from=%F0%9F%95%9B2026-01-31", "From"),
            ("q=%E2%80%AE", "The search box"), ("q=Jane%00Doe", "The search box"),
            ("claimed_from=2026-02-01&claimed_to=2026-01-01", "Before"),
        ])
    func malformed(_ query: String, _ words: String) async throws {
        await add("A")
        let answer = try await browser.get("/console/payments?\(query)")
        #expect(answer.status == 400)
        #expect(answer.text.contains("<p>\(words)"), "\(answer.text)")
        #expect(!answer.text.contains("<tbody>"))
    }

    @Test("More than a page is reached by the link to older payments, with the filters kept, and none twice")
    func pages() async throws {
        for number in 0..<120 { await add("P-\(number)", secondsAgo: Double(number)) }
        var (path, seen) = ("/console/payments?outcome=captured", [String]())
        for _ in 0..<3 {
            let text = try await browser.get(path).text
            seen += text.matches(of: /<th scope="row"><a href="[^"]*"><bdi>([^<]*)<\/bdi>/).map { String($0.output.1) }
            guard let next = text.firstMatch(of: /<a href="([^"]*)">Older payments/) else { break }
            path = String(next.output.1).replacing("&amp;", with: "&").replacing("&#61;", with: "=")
            #expect(path.contains("outcome=captured"))
        }
        #expect(seen == (0..<120).map { "P-\($0)" })
    }

    @Test(
        "A typed time is in the form's zone, or in UTC if the form names none",
        arguments: [
            ("claimed_from=2026-01-31+12:00&zone=%2B04:00", ["NOON"]),
            ("claimed_from=2026-01-31T12:00:00&zone=%2B04:00", ["NOON"]),
            ("claimed_from=2026-01-31+12:00", []), ("claimed_from=2026-01-31+08:00", ["NOON"]),
            ("claimed_from=2026-01-31T08:00:00Z&zone=%2B04:00", ["NOON"]),
            ("claimed_from=2026-01-31T12:00:00%2B04:00", ["NOON"]),
            ("claimed_from=2026-01-31&claimed_to=2026-02-01&zone=-05:00", ["NOON"]),
            ("claimed_from=2026-01-31&claimed_to=2026-02-01&zone=%2B14:00", ["NOON"]),
            ("claimed_from=2026-01-31&claimed_to=2026-01-31+03:59&zone=-04:00", []),
        ])
    func zones(_ query: String, _ expected: [String]) async throws {
        let noonInDubai = Date(timeIntervalSince1970: 1_769_846_400)
        await add("NOON", secondsAgo: start.timeIntervalSince(noonInDubai))
        #expect(try await found(query) == expected)
    }

    @Test("The form shows the zone of the times that it holds")
    func zoneInTheForm() async throws {
        #expect(try await browser.get("/console/payments?claimed_from=2026-01-31").text.contains(#"value="Z""#))
        #expect(try await !browser.get("/console/payments").text.contains(#"value="Z""#))
    }

    @Test("Days in a search box, also in the header's, are in the form's zone, or in UTC if the form sends none")
    func zoneOfDays() async throws {
        let header = #"<input type="hidden" name="zone" value="" data-zone>"#
        #expect(try await browser.get("/console").text.contains(header), "the browser fills it in")
        for (query, zone) in [("q=today", "Z"), ("q=last+7+days&zone=", "Z"), ("q=today&zone=-05:00", "-05:00")] {
            let page = try await browser.get("/console/payments?\(query)").text
            let field = #"name="zone" maxlength="64" autocomplete="off" value=""# + zone + "\""
            #expect(page.contains(field), "\(query)")
        }
        #expect(try await !browser.get("/console/payments?q=ORDER").text.contains(#"value="Z""#))
    }

    @Test("A code of FORT's in the search box leads to its meaning")
    func codeInTheSearchBox() async throws {
        let page = try await browser.get("/console/payments?q=14000").text
        #expect(page.contains(#"<a href="/console/codes/14000">what it means</a>"#))
        #expect(try await !browser.get("/console/payments?q=ORDER-14000").text.contains("what it means"))
    }

    @Test("Markup in texts of clients and gateways is text on the page")
    func escapes() async throws {
        await add("<script>alert(1)</script>")
        let page = try await browser.get("/console/payments?q=%3Cscript%3E&client=%22%3E%3Cscript%3E").text
        #expect(!page.contains("<script>"))
        #expect(!(try await browser.get("/console/payments").text).contains("<b>Success"))
    }

    @Test("Nobody without a session sees the list")
    func needsASession() async throws {
        await add("ORDER-1")
        let answer = try await bench.send(.get, "/console/payments")
        #expect(answer.status == 303 && answer.headers[.location] == "/console/login?then=%2Fconsole%2Fpayments")
    }
}
