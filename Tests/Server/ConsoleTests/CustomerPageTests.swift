import AccessControl
import Foundation
import HTTPTypes
import JournalContract
import PaymentRelay
import PayrelayPrimitives
import Testing

@testable import Console

/// A customer's page, and erasing the customer's data from it.
@Suite struct CustomerPageTests {
    private static let page = "/console/customer?email=sara%40example.com"
    private static let form = "/console/customer/forget?email=sara%40example.com"
    private let bench: ConsoleBench
    private let start = Date()

    init() throws { bench = try ConsoleBench() }

    private func add(
        _ reference: String, email: String = "sara@example.com", currency: String = "AED",
        state: PaymentState = .captured, operations: [PaymentOperation] = [], name: String = "سارة القحطاني",
        secondsAgo: Double = 0
    ) async throws {
        let moment = start.addingTimeInterval(-secondsAgo)
        let captured: MinorUnits = state == .captured ? 10_000 : .zero
        let payment = Payment(
            merchantReference: reference, command: .purchase, amount: 10_000, currency: currency, fingerprint: nil,
            appleTransactionIdentifier: nil, claimedAt: moment, gateway: "fort", account: "default", state: state,
            balance: Balance(captured: captured), operations: operations,
            receipt: Array(#"{"processor_response":{"customer_email":"\#(email)"}}"#.utf8),
            emailDigest: EmailDigest(of: email),
            customer: CustomerDetails(email: email, name: name, cardDisplayName: "Visa 0492"))
        #expect(
            await bench.journal.commit(
                Change(from: nil, to: payment, because: HistoryEntry(at: moment, state: state))) == .written)
    }

    private func openRefund() -> PaymentOperation {
        PaymentOperation(
            command: .refund, amount: 4_000, maintenanceReference: nil, idempotencyKey: "k",
            before: Balance(captured: 10_000), begunAt: Date())
    }

    private func holdsData(_ reference: String) async throws -> Bool {
        let payment = try #require(await bench.journal.payment(reference))
        return payment.holdsCustomerData && payment.customer.email != nil && payment.emailDigest != nil
    }

    @Test("A customer's page has all payments with the email, and their sums by currency")
    func sums() async throws {
        try await add("A-1", secondsAgo: 3)
        try await add("A-2", secondsAgo: 2)
        try await add("A-3", currency: "KWD", state: .declined, secondsAgo: 1)
        try await add("B-1", email: "omar@example.com")
        let browser = try await bench.browser(.viewer)
        let text = try await browser.get(Self.page.replacing("sara", with: "SARA")).text
        #expect(text.contains("<b>2 payments</b>, 200.00 AED; captured 200.00 AED"))
        #expect(text.contains("<b>1 payment</b>, 10.000 KWD"))
        #expect(text.matches(of: /<bdi>([AB]-.)<\/bdi>/).map(\.output.1) == ["A-3", "A-2", "A-1"])
        #expect(text.contains("<bdi>سارة القحطاني</bdi>") && text.contains("<bdi>Visa 0492</bdi>"))
        // The payment's page links back to the customer's page.
        #expect(try await browser.get("/console/payment?reference=A-1").text.contains(#"href="\#(Self.page)""#))
        #expect(try await browser.get("/console/payments?q=sara%40example.com").text.contains(#"href="\#(Self.page)""#))
        #expect(try await browser.get("/console/payments").text.contains(#"href="\#(Self.page)""#))
    }

    @Test("More than a page is reached by the link to older payments, each once")
    func pages() async throws {
        for number in 0..<120 { try await add("P-\(number)", secondsAgo: Double(number)) }
        let browser = try await bench.browser(.viewer)
        var (path, seen) = (Self.page, [String]())
        for _ in 0..<3 {
            let text = try await browser.get(path).text
            seen += text.matches(of: /<th scope="row"><a href="[^"]*"><bdi>([^<]*)<\/bdi>/).map { String($0.output.1) }
            guard let next = text.firstMatch(of: /<a href="([^"]*)">Older payments/) else { break }
            path = String(next.output.1).replacing("&amp;", with: "&").replacing("&#61;", with: "=")
        }
        #expect(seen == (0..<120).map { "P-\($0)" })
        #expect(try await browser.get(Self.page + "&after=AAAA").status == 404)
    }

    @Test(
        "Forgetting lists the reasons for which a payment is kept, erases the others, and leaves other customers alone")
    func forgets() async throws {
        try await add("ORDER-A-1", secondsAgo: 3)
        try await add("ORDER-A-2", state: .uncertain, secondsAgo: 2)
        try await add("ORDER-A-3", operations: [openRefund()], secondsAgo: 1)
        try await add("ORDER-B-1", email: "omar@example.com")
        let browser = try await bench.browser(.finance)
        #expect(try await browser.get(Self.page).text.contains(#"href="\#(Self.form)""#))
        let form = try await browser.get(Self.form)
        #expect(form.text.contains("its outcome is not known yet"))
        #expect(form.text.contains("the outcome of a capture, void or refund of it is not known yet"))
        #expect(form.text.contains("Erase the data of one payment") && !form.text.contains("ORDER-B-1"))
        let seen = try #require(form.hidden("seen"))
        let answer = try await browser.submit(Self.form, [("seen", seen), ("confirmation", " Sara@Example.COM ")])
        #expect(answer.status == 303 && answer.headers[.location] == Self.page)
        #expect(try await !holdsData("ORDER-A-1"))
        for kept in ["ORDER-A-2", "ORDER-A-3", "ORDER-B-1"] { #expect(try await holdsData(kept), "\(kept)") }
        let entry = try #require(await bench.journal.history(of: "ORDER-A-1").last)
        #expect(entry.reason == "customer data erased" && entry.source == .operator("a-finance"))
        #expect(entry.operatorName == "a-finance")
        let left = try await browser.get(Self.page).text
        #expect(!left.contains("ORDER-A-1") && left.contains("ORDER-A-2"))
        #expect(try await browser.get("/console/payment?reference=ORDER-A-1").text.contains("100.00 AED"))
    }

    @Test("A customer without payments, or without an email, is said so, and nothing can be sent")
    func nobody() async throws {
        let browser = try await bench.browser(.finance)
        let text = try await browser.get("/console/customer?email=nobody%40example.com").text
        #expect(text.contains("No payment has this email.") && !text.contains("/forget"))
        let form = try await browser.get("/console/customer/forget?email=nobody%40example.com").text
        #expect(form.contains("Nothing can be erased now.") && !form.contains(#"name="seen""#))
        for query in ["", "?email=", "?email=sara", "?email=\(String(repeating: "a", count: 300))%40b"] {
            #expect(try await browser.get("/console/customer\(query)").status == 400, "\(query)")
        }
    }

    // MARK: Attacks

    private func valid(_ browser: Browser) async throws -> [(String, String)] {
        [("seen", try #require(try await browser.get(Self.form).hidden("seen"))), ("confirmation", "sara@example.com")]
    }

    @Test("S7: a role below finance erases nothing, whatever it sends", arguments: [OperatorRole.viewer, .support])
    func roleTooLow(role: OperatorRole) async throws {
        try await add("A-1")
        let form = try await valid(bench.browser(.finance))
        let browser = try await bench.browser(role)
        #expect(try await browser.get(Self.form).status == 403)
        let page = try await browser.get(Self.page).text
        #expect(page.contains("It takes the role finance.") && !page.contains(#"href="\#(Self.form)""#))
        let refused = try await browser.submit(Self.form, form)
        #expect(refused.status == 403 && refused.text.contains("Back to the customer</a>"))
        #expect(try await holdsData("A-1"))
        let request = OperatorRequest(operatorName: "x", identifier: "1", permitted: [.refund, .look])
        let direct = try await bench.relay.forget(EmailDigest(of: "sara@example.com"), in: ["A-1"], by: request)
        #expect(direct == .notPermitted)
        #expect(try await holdsData("A-1"))
    }

    @Test(
        "S13: a form of another origin, or without the session's token, erases nothing",
        arguments: [
            [HTTPField.Name.secFetchSite: "cross-site"] as HTTPFields, [.origin: "https://evil.example"],
            [.origin: "null"],
        ])
    func foreignOrigin(headers: HTTPFields) async throws {
        try await add("A-1")
        let browser = try await bench.browser(.finance)
        let form = try await valid(browser)
        let token = try await browser.get("/console").hidden("form_token")
        #expect(try await browser.post(Self.form, form, token: token, headers: headers).status == 403)
        #expect(try await browser.post(Self.form, form, token: "x").status == 403)
        #expect(try await bench.send(.post, Self.form, form: form).status == 303)
        #expect(try await browser.get(Self.form + "&confirmation=sara%40example.com").status == 200)
        #expect(try await holdsData("A-1"))
    }

    @Test("S7: a customer's form erases no other customer's payments")
    func anotherCustomersPayments() async throws {
        try await add("A-1")
        try await add("B-1", email: "omar@example.com")
        let browser = try await bench.browser(.finance)
        let form = try await valid(browser)
        // The form's token stands for Sara's payments.
        let omars = "/console/customer/forget?email=omar%40example.com"
        #expect(try await browser.submit(omars, form).status == 409)
        #expect(try await browser.submit(omars, form + [("email", "sara@example.com")]).status == 409)
        #expect(try await browser.submit(Self.form, [form[0], ("confirmation", "omar@example.com")]).status == 400)
        #expect(try await holdsData("A-1"))
        let request = OperatorRequest(operatorName: "x", identifier: "1", permitted: [.forget])
        let erased = try await bench.relay.forget(
            EmailDigest(of: "sara@example.com"), in: ["A-1", "B-1", "none"], by: request)
        #expect(erased == .erased(count: 1, isInFiles: false))
        #expect(try await holdsData("B-1"))
    }

    @Test("A form that was opened before a payment changed or was added erases nothing")
    func changedMeanwhile() async throws {
        try await add("A-1")
        let browser = try await bench.browser(.finance)
        let form = try await valid(browser)
        try await add("A-2", operations: [openRefund()])
        let refused = try await browser.submit(Self.form, form)
        #expect(refused.status == 409 && refused.text.contains("have changed since you opened this form"))
        #expect(try await holdsData("A-1"))
        for seen in ["", "x", form[0].1 + "A"] {
            #expect(
                try await browser.submit(Self.form, [("seen", seen), ("confirmation", "sara@example.com")]).status
                    == 409)
        }
        for confirmation in ["", "sara", "sara@example.co"] {
            let seen = try #require(try await browser.get(Self.form).hidden("seen"))
            let answer = try await browser.submit(Self.form, [("seen", seen), ("confirmation", confirmation)])
            #expect(answer.status == 400 && answer.hidden("seen") == seen)
        }
        for reference in ["A-1", "A-2"] { #expect(try await holdsData(reference)) }
    }

    @Test("Markup in the customer's details is text on the page")
    func escapes() async throws {
        let hostile = "<img src=x>\u{202E}\"@x"
        try await add("A-1", email: hostile, name: "<script>alert(1)</script>")
        let browser = try await bench.browser(.finance)
        let query = "?email=\(Links.encoded(hostile))"
        for path in ["/console/customer\(query)", "/console/customer/forget\(query)"] {
            let text = try await browser.get(path).text
            #expect(text.contains("&lt;img") && !text.contains("<img src=x") && !text.contains("<script>"), "\(path)")
        }
    }
}
