import AccessControl
import Foundation
import HTTPTypes
import JournalContract
import PaymentRelay
import PayrelayPrimitives
import Testing

@testable import Console

/// An operator records by hand an outcome that the gateway leaves open: with the console's form, or by the route of the admin
/// listener.
@Suite struct ResolveScreenTests {
    private let bench: ConsoleBench
    private static let page = "/console/payment?reference=ORDER-1"
    private static let path = "/console/payment/resolve?reference=ORDER-1"

    init() async throws {
        bench = try ConsoleBench()
        await bench.add("ORDER-1", state: .uncertain, at: Date() - 600)
    }

    private func state() async throws -> PaymentState? { try await bench.relay.payment("ORDER-1")?.state }

    private static func form(
        _ resolution: String = "captured", _ amount: String = "100.00", again: String? = nil,
        reason: String = "APS said so"
    ) -> [(String, String)] {
        [("as", resolution), ("amount", amount), ("confirmation", again ?? amount), ("reason", reason)]
    }

    @Test("the form settles an open payment once, and its page, the timeline, the lists and Audit say by whom")
    func settles() async throws {
        let finance = try await bench.browser(.finance)
        #expect(try await finance.get(Self.page).text.contains("Settle by hand…"))
        let form = try await finance.open(Self.path)
        #expect(form.status == 200)
        #expect(form.text.contains("payment of 100.00 AED") && form.text.contains("<option value=\"not_processed\">"))
        // A purchase is never held.
        #expect(!form.text.contains("<option value=\"voided\">"))
        let action = try #require(form.action)
        #expect(try await finance.submit(action, Self.form()).headers[.location] == Self.page)
        let page = try await bench.browser(.viewer).get(Self.page).text
        #expect(page.contains("Settled by hand on <time") && page.contains("by <b><bdi>a-finance</bdi></b>"))
        #expect(page.contains("not FORT&#39;s answer") || page.contains("not FORT's answer"))
        #expect(page.contains("APS said so") && !page.contains("Settle by hand…"))
        #expect(try await state() == .captured)
        let audit = try await finance.get("/console/audit?operator=a-finance").text
        #expect(audit.contains("settled by hand") && audit.contains("ORDER-1"))
        #expect(try await finance.get("/console/audit.csv").text.contains(",operator,a-finance,,settled by hand,"))
        #expect(try await finance.get("/console/payments").text.contains("By hand"))
        let csv = try await finance.get("/console/payments.csv").text
        let settledAt = try #require(
            try await bench.relay.payment("ORDER-1")?.summary["resolved_by_hand_at"]?.stringValue)
        #expect(csv.contains("resolved_by_hand_at") && csv.contains(settledAt))
        // The form is submitted a second time, and then reloaded.
        let before = try await bench.relay.history(of: "ORDER-1")
        for (outcome, amount) in [("captured", "100.00"), ("declined", "100.00")] {
            let again = try await finance.submit(action, Self.form(outcome, amount))
            #expect(again.status == 409 && again.text.contains("settled by hand"))
        }
        #expect(try await finance.open(Self.path).status == 409)
        #expect(try await bench.relay.history(of: "ORDER-1") == before)
    }

    @Test("an open refund is settled with its own outcomes and amount, and its block says by whom")
    func settlesARefund() async throws {
        await bench.add("ORDER-2", at: Date() - 90_000)
        var payment = try #require(try await bench.relay.payment("ORDER-2"))
        let before = payment
        payment.operations = [
            PaymentOperation(
                command: .refund, amount: 4_000, maintenanceReference: nil, idempotencyKey: "k",
                before: payment.balance, begunAt: Date() - 9_000, state: .uncertain)
        ]
        payment.version += 1
        let entry = HistoryEntry(at: Date() - 9_000, state: .captured, balance: payment.balance)
        #expect(
            await bench.journal.commit(
                Change(from: before, to: payment, because: entry)) == .written)
        let finance = try await bench.browser(.finance)
        let form = try await finance.open("/console/payment/resolve?reference=ORDER-2")
        #expect(form.text.contains("Refund of 40.00 AED") && form.text.contains("<option value=\"done\">"))
        #expect(!form.text.contains("<option value=\"captured\">"))
        let action = try #require(form.action)
        for (outcome, amount) in [("done", "100.00"), ("captured", "40.00"), ("done", "40.01")] {
            #expect(try await finance.submit(action, Self.form(outcome, amount)).status == 400)
        }
        #expect(try await finance.submit(action, Self.form("done", "40.00")).status == 303)
        let page = try await finance.get("/console/payment?reference=ORDER-2").text
        #expect(page.contains("Refund of 40.00 AED: done, settled by hand"))
        #expect(page.contains("Settled by hand on <time") && page.contains("Partially refunded"))
    }

    @Test("the form is refused by field, keeps its input, and records nothing")
    func refusesFields() async throws {
        let finance = try await bench.browser(.finance)
        let action = try #require(try await finance.open(Self.path).action)
        for (form, said) in [
            (Self.form("", "100.00"), "Choose what became of it"), (Self.form("paid"), "Choose what became of it"),
            (Self.form("authorized"), "cannot be authorized"), (Self.form("done"), "cannot be done"),
            (Self.form("captured", "100.00", again: "10.00"), "The two amounts differ"),
            (Self.form("captured", "0"), "more than zero"), (Self.form("captured", "-100.00"), "is not a number"),
            (Self.form("captured", "100.01"), "must be 100.00 AED"), (Self.form("captured", "1e4"), "is not a number"),
            (Self.form("captured", "100.000"), "decimals"),
            (Self.form("captured", "99999999999999999999"), "is more than"),
            (Self.form("captured", "100.00", again: ""), "The second amount is not a number"),
            (Self.form(reason: ""), "The reason has no text"), (Self.form(reason: "\u{202E}\u{7}\0"), "no text"),
            (Self.form(reason: String(repeating: "é", count: 501)), "500 characters"),
        ] {
            let answer = try await finance.submit(action, form)
            #expect(answer.status == 400, "\(form)")
            #expect(answer.text.contains(said), "\(form)")
            #expect(answer.text.contains("Nothing was done."))
        }
        let kept = try await finance.submit(action, Self.form("declined", "99.00", reason: "<b>\"told'"))
        #expect(kept.text.contains("<option value=\"declined\" selected>") && kept.text.contains("value=\"99.00\""))
        #expect(kept.text.contains("&lt;b&gt;") && !kept.text.contains("<b>\"told"))
        #expect(
            try await finance.submit(action, Self.form(reason: String(repeating: "x", count: 100_000))).status == 413)
        #expect(try await state() == .uncertain)
    }

    @Test("S13: a form without its session's token, of another site, or of another role settles nothing")
    func refusesForgeries() async throws {
        let finance = try await bench.browser(.finance)
        let action = try #require(try await finance.open(Self.path).action)
        let other = try await bench.browser(.finance).get("/console").hidden("form_token")
        for token in [nil, "", "x", other] {
            #expect(try await finance.post(action, Self.form(), token: token).status == 403)
        }
        let token = try await finance.get("/console").hidden("form_token")
        for headers: HTTPFields in [[.secFetchSite: "cross-site"], [.origin: "https://evil.example"]] {
            #expect(try await finance.post(action, Self.form(), token: token, headers: headers).status == 403)
        }
        for role in [OperatorRole.viewer, .support] {
            let browser = try await bench.browser(role)
            #expect(try await browser.get(action).status == 403)
            #expect(try await browser.submit(action, Self.form()).status == 403)
            let page = try await browser.get(Self.page).text
            #expect(page.contains("It takes the role finance.") && !page.contains("/console/payment/resolve"))
        }
        #expect(try await finance.submit(Self.path, Self.form()).status == 400)
        #expect(try await finance.submit(Self.path + "&seen=9", Self.form()).status == 409)
        #expect(try await finance.submit(Self.path + "&seen=x", Self.form()).status == 400)
        #expect(try await finance.open("/console/payment/resolve?reference=NONE").status == 404)
        #expect(try await state() == .uncertain)
    }

    @Test("the form is not offered for a settled payment, and not yet for one that may still end by itself")
    func isOfferedWhereItApplies() async throws {
        await bench.add("SETTLED")
        await bench.add("YOUNG", state: .uncertain, at: Date())
        let finance = try await bench.browser(.finance)
        #expect(try await !finance.get("/console/payment?reference=SETTLED").text.contains("Settle by hand"))
        #expect(try await finance.open("/console/payment/resolve?reference=SETTLED").status == 409)
        let page = try await finance.get("/console/payment?reference=YOUNG").text
        #expect(
            page.contains("disabled aria-describedby=\"why-resolve\"")
                && page.contains("it can be settled by hand from"))
        #expect(try await finance.open("/console/payment/resolve?reference=YOUNG").status == 409)
        let early = try await finance.submit("/console/payment/resolve?reference=YOUNG&seen=1", Self.form())
        #expect(early.status == 409 && early.text.contains("Nothing was done"))
        #expect(try await bench.relay.payment("YOUNG")?.state == .uncertain)
    }

    @Test("an operator's text is escaped at every place of the page") func escapesTheReason() async throws {
        let finance = try await bench.browser(.finance)
        let action = try #require(try await finance.open(Self.path).action)
        let hostile = #"<img src=x onerror="alert(1)">'&"# + "\"\u{301} \u{202E}x\u{7}"
        #expect(try await finance.submit(action, Self.form(reason: hostile)).status == 303)
        let page = try await finance.get(Self.page).text
        #expect(page.contains("&lt;img") && !page.contains("<img src=x"))
        #expect(!page.contains("\u{202E}") && !page.contains("\u{7}"))
    }

    // MARK: The admin listener's route

    private func resolve(
        _ role: OperatorRole?, _ members: [(String, JSON)] = [], authorization: String? = nil,
        headers: HTTPFields = [:]
    ) async throws -> ConsoleBench.Answer {
        var fields = headers
        if fields[.contentType] == nil { fields[.contentType] = "application/json" }
        fields[.authorization] = authorization ?? role.flatMap { bench.keys[$0] }.map { "Bearer \($0.exposed)" }
        var body: JSONObject = [
            "merchant_reference": "ORDER-1", "as": "captured", "amount": 10_000, "confirm_amount": 10_000,
            "reason": "APS said so",
        ]
        for (name, value) in members { body[name] = value == .null ? nil : value }
        return try await bench.send(.post, "/v1/resolutions", body: JSON.object(body).encoded(), headers: fields)
    }

    @Test("the route settles an open payment by an operator's key, and answers with the payment and who settled it")
    func routeSettles() async throws {
        let answer = try await resolve(.finance)
        #expect(answer.status == 200)
        let json = try JSON(parsing: Array(answer.text.utf8))
        #expect(json["outcome"] == "captured" && json["resolved_by_hand_at"]?.stringValue != nil)
        let entry = try #require(json["history"]?.arrayValue?.last)
        #expect(entry["source"] == "operator" && entry["operator"] == "a-finance")
        #expect(try await state() == .captured)
        let again = try await resolve(.finance)
        #expect(again.status == 409 && again.text.contains("not-allowed"))
    }

    @Test("S13: the route takes an operator's key with the role finance, and no cookie, API key or foreign page")
    func routeAuthenticates() async throws {
        for role in [OperatorRole.viewer, .support] { #expect(try await resolve(role).status == 403) }
        #expect(try await resolve(nil).status == 401)
        let key = try #require(bench.keys[.finance]).exposed
        for authorization in [
            "", "Bearer", "Bearer x", "Basic \(key)", key, "Bearer \(key), Bearer \(key)",
            "Bearer \(OperatorKey().exposed)",
            "Bearer payrelay_\(String(repeating: "A", count: 43))",
        ] {
            let answer = try await resolve(nil, authorization: authorization)
            #expect(answer.status == 401 && answer.headers[.wwwAuthenticate]?.hasPrefix("Bearer") == true)
        }
        let cookie = try await bench.browser(.finance).cookie
        #expect(try await resolve(nil, headers: [.cookie: cookie]).status == 401)
        #expect(try await resolve(.finance, headers: [.secFetchSite: "cross-site"]).status == 403)
        #expect(try await resolve(.finance, headers: [.origin: "https://evil.example"]).status == 403)
        #expect(try await bench.send(.get, "/v1/resolutions").status == 405)
        #expect(try await state() == .uncertain)
    }

    @Test("the route names every wrong member, and settles nothing") func routeRefuses() async throws {
        for (member, value) in [
            ("amount", 0), ("amount", -1), ("amount", "10000"), ("amount", 10_001), ("amount", .number("1e4")),
            ("amount", .number("99999999999")), ("amount", .null), ("confirm_amount", 9_999), ("confirm_amount", .null),
            ("as", "paid"), ("as", "done"), ("as", "authorized"), ("as", .null), ("reason", ""), ("reason", "\u{202E}"),
            ("reason", .string(String(repeating: "x", count: 501))), ("reason", .null), ("reason", 1),
            ("merchant_reference", .null), ("operator", "omar"),
        ] as [(String, JSON)] {
            let answer = try await resolve(.finance, [(member, value)])
            #expect(answer.status == 400, "\(member) \(value)")
            let errors = try JSON(parsing: Array(answer.text.utf8))["errors"]?.arrayValue ?? []
            let fields = errors.compactMap { $0["field"]?.stringValue }
            #expect(
                fields == [member] || fields == ["confirm_amount"] && member == "amount",
                "\(member) \(value): \(fields)")
        }
        #expect(try await resolve(.finance, [("merchant_reference", "NONE")]).status == 404)
        #expect(
            try await resolve(.finance, [("reason", .string(String(repeating: "x", count: 100_000)))]).status == 413)
        #expect(try await resolve(.finance, headers: [.contentType: "text/plain"]).status == 415)
        #expect(try await state() == .uncertain)
    }
}
