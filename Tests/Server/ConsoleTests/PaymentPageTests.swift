import AccessControl
import Foundation
import HTTPTypes
import JournalContract
import PaymentRelay
import PayrelayPrimitives
import Synchronization
import Testing

@testable import Console

@Suite struct PaymentPageTests {
    private static let hostile =
        #"<img src=x onerror="alert(1)">'&"# + "\"\u{301} autofocus onfocus=alert(2) x=\u{600}\""

    @Test func textsFromOutsideAreEscapedEverywhere() async throws {
        let bench = try ConsoleBench()
        let reference = Self.hostile
        let text = JSON.string(Self.hostile)
        await bench.add(
            reference, state: .captured, currency: "AED",
            response: [
                "response_message": text, "response_code": text, "customer_name": text, "card_holder_name": text,
                "fort_id": text, "customer_email": text, Self.hostile: text, "acquirer_response_code": text,
                "authorization_code": text,
            ], reason: Self.hostile, event: Array(#"{"type":\#(String(decoding: text.encoded(), as: UTF8.self))}"#.utf8)
        )
        await bench.add("OPEN" + Self.hostile, state: .uncertain)
        let browser = try await bench.browser(.finance)
        let link = Links.payment(reference)
        for path in [
            link, "/console", link.replacing("/payment?", with: "/payment/refund?") + "&seen=1",
            link.replacing("/payment?", with: "/payment/refund?") + "&seen=1&amount=40",
            link.replacing("/payment?", with: "/payment/refund?") + "&seen=1"
                + link.replacing("/console/payment?reference", with: "&amount"),
            link.replacing("reference=", with: "reference=no"),
            link.replacing("/payment?reference", with: "/codes?code"),
        ] {
            let answer = try await browser.get(path)
            #expect(answer.text.contains("&lt;img"), "\(path)")
            // The text is compared by scalars, as browsers read it: no quotation mark of the text is left.
            for forbidden in ["<img src=x", "\"\u{301}", "\u{600}\""] {
                let found = answer.text.unicodeScalars.map(\.value).firstRange(
                    of: forbidden.unicodeScalars.map(\.value))
                #expect(found == nil, "\(path) has \(forbidden)")
            }
        }
        let tried = try await browser.submit(
            "/console/signatures", [("account", "default"), ("message", Self.hostile)])
        #expect(tried.text.contains("&lt;img") && !tried.text.contains("<img src=x"))
        let token = try await browser.submit(
            "/console/tokens", [("token", #"{"paymentData":{"\#("<img src=x>")":1}}"#)])
        #expect(token.status == 400 && !token.text.contains("<img src=x"))
    }

    @Test func amountsAreWrittenAsPeopleReadThem() async throws {
        let bench = try ConsoleBench()
        for (currency, text) in [("AED", "100.00 AED"), ("KWD", "10.000 KWD"), ("JPY", "10,000 JPY")] {
            await bench.add(currency, currency: currency)
            #expect(try await bench.browser(.viewer).get("/console/payment?reference=\(currency)").text.contains(text))
        }
    }

    @Test func everyCodeHasAnAddress() async throws {
        let bench = try ConsoleBench()
        let browser = try await bench.browser(.viewer)
        let list = try await browser.get("/console/codes").text
        let links = list.matches(of: /href="(\/console\/codes\/[^"]+)"/).map { String($0.output.1) }
        #expect(links.count > 200)
        for link in links { #expect(try await browser.get(link).status == 200, "\(link)") }
        #expect(try await browser.get("/console/codes?code=00008").headers[.location] == "/console/codes/00008")
        #expect(try await browser.get("/console/codes/00008").text.contains("Signature mismatch."))
        for none in ["99999", "x", "%3Cb%3E", "1%2F2"] {
            #expect(try await browser.get("/console/codes/\(none)").status == 404, "\(none)")
        }
    }

    @Test func credentialsAndPhrasesAreOnNoPage() async throws {
        let bench = try ConsoleBench()
        await bench.add(
            "ORDER-1",
            response: [
                "signature": "CANARY-SIGNATURE", "access_code": "CANARY-CODE", "token_name": "CANARY-TOKEN",
                "sdk_token": "CANARY-SDK",
            ])
        let browser = try await bench.browser(.finance)
        var texts: [String] = []
        for screen in bench.console.screens.all where screen.method == .get {
            texts.append(
                try await browser.get(screen.path.replacing(":code", with: "00008") + "?reference=ORDER-1").text)
        }
        for signature in ["", String(repeating: "a", count: 64), "CANARY-REQUEST-PHRASE"] {
            texts.append(
                try await browser.submit(
                    "/console/signatures",
                    [("account", "default"), ("message", #"{"command":"PURCHASE"}"#), ("signature", signature)]
                ).text)
        }
        for text in texts {
            #expect(!text.contains("CANARY-"))
            for key in bench.keys.values { #expect(!text.contains(key.exposed)) }
        }
    }

    @Test("A payment of a gateway that is not configured any more is shown as it was, its credentials masked")
    func formerGateway() async throws {
        let bench = try ConsoleBench(hasFort: false)
        await bench.add(
            "ORDER-1",
            response: [
                "response_message": "Success of FORT.", "authorization_code": "S0A001", "token_name": "CANARY-TOKEN",
            ])
        let browser = try await bench.browser(.support)
        let page = try await browser.get("/console/payment?reference=ORDER-1").text
        #expect(page.contains("Authorization code") && page.contains("S0A001") && page.contains("token_name"))
        #expect(!page.contains("CANARY-TOKEN"))
        #expect(try await browser.get("/console/payments").text.contains("Success of FORT."))
        #expect(try await browser.get("/console/payments?response_code=14000").text.contains("ORDER-1"))
        #expect(try await browser.get("/console/payments.csv").text.contains(",14000,"))
        let live = try await bench.send(.get, "/console/live/events", headers: [.cookie: browser.cookie]).text
        #expect(live.contains("Success of FORT."))
    }

    @Test func aDoubleClickRefundsOnce() async throws {
        let bench = try ConsoleBench()
        await bench.add("ORDER-1")
        let browser = try await bench.browser(.finance)
        let question = try await browser.open("/console/payment/refund?reference=ORDER-1")
        #expect(question.text.contains(#"value="100.00""#))
        let confirmation = try await browser.open("/console/payment/refund?reference=ORDER-1&amount=40.00")
        #expect(
            confirmation.text.contains(
                "Refunds 40.00 AED of ORDER-1 to the customer&#39;s card. After that, 60.00 AED is left to refund."))
        let form = [
            ("key", try #require(confirmation.hidden("key"))), ("amount", "40.00"), ("confirmation", "40"),
        ]
        let path = try #require(confirmation.action)
        let token = try await browser.get("/console").hidden("form_token")
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<20 { group.addTask { try await browser.post(path, form, token: token).status } }
            for try await status in group { #expect(status == 303 || status == 409) }
        }
        #expect(try await browser.post(path, form, token: token).status == 303)
        #expect(try await browser.get("/console").text.contains("nothing was sent again"))
        #expect(bench.fort.performed.withLock { $0.map(\.1) } == [4_000])
        // A separate form makes another refund of the same amount, which the operator confirms.
        let another = try await browser.open("/console/payment/refund?reference=ORDER-1&amount=40.00")
        #expect(another.text.contains("40.00 AED of this payment were refunded already, at "))
        let second = [("key", try #require(another.hidden("key")))] + form.dropFirst()
        let action = try #require(another.action)
        #expect(try await browser.post(action, second, token: token).status == 400)
        #expect(bench.fort.performed.withLock { $0.map(\.1) } == [4_000])
        #expect(try await browser.post(action, second + [("again", "yes")], token: token).status == 303)
        #expect(bench.fort.performed.withLock { $0.map(\.1) } == [4_000, 4_000])
        let page = try await browser.get("/console/payment?reference=ORDER-1")
        #expect(page.text.contains("By the operator <b><bdi>a-finance</bdi></b>"))
        #expect(page.text.contains("80.00 AED"))
    }

    @Test("a refund's reason is kept, shown and reported to the backend, and erased with the customer's data")
    func aReasonIsKept() async throws {
        let bench = try ConsoleBench()
        await bench.add("ORDER-1")
        let browser = try await bench.browser(.finance)
        let page = try await browser.open("/console/payment/refund?reference=ORDER-1&amount=40.00")
        let reason = "سارة sent it back </p><script>" + String(repeating: "x", count: 1_000)
        let form = [
            ("key", try #require(page.hidden("key"))), ("amount", "40.00"), ("confirmation", "40.00"),
            ("reason", reason),
        ]
        #expect(try await browser.submit(try #require(page.action), form).status == 303)
        let shown = try await browser.get("/console/payment?reference=ORDER-1").text
        #expect(shown.contains("سارة sent it back &lt;/p&gt;&lt;script&gt;xx") && !shown.contains("</p><script>"))
        let kept = try #require(try await bench.relay.payment("ORDER-1")?.operations.first?.givenReason)
        #expect(kept.utf8.count == OperationRequest.reasonLimit)
        let erased = try await bench.journal.eraseCustomerData(
            of: "ORDER-1", at: Date(), knowing: bench.relay.gateways.vocabulary)
        #expect(erased)
        #expect(try await bench.relay.payment("ORDER-1")?.operations.first?.givenReason == nil)
    }

    @Test("the confirming page shows customer and card, and a refusal leads back to the payment, in major units")
    func aRefusalLeadsBack() async throws {
        let bench = try ConsoleBench()
        await bench.add("ORDER-1", response: ["customer_email": "sara@example.com", "card_number": "411111******1111"])
        let browser = try await bench.browser(.finance)
        let page = try await browser.open("/console/payment/refund?reference=ORDER-1&amount=40.00")
        #expect(page.text.contains("sara@example.com") && page.text.contains("411111******1111"))
        let form = [("key", try #require(page.hidden("key"))), ("amount", "200.00"), ("confirmation", "200.00")]
        let refused = try await browser.submit(try #require(page.action), form)
        #expect(refused.status == 409 && refused.text.contains("Only 100.00 AED is left to refund."))
        #expect(refused.text.contains(#"<a href="/console/payment?reference=ORDER-1">Back to the payment</a>"#))
        let forbidden = try await bench.browser(.support).get("/console/payment/refund?reference=ORDER-1")
        #expect(forbidden.status == 403 && forbidden.text.contains("Back to the payment</a>"))
    }

    @Test(
        "an amount that is not typed again as it was moves nothing",
        arguments: ["", "4.00", "40.0O", "-40.00", "40.001", "١٠", "99999999999999999999"])
    func anAmountMustBeTypedAgain(confirmation: String) async throws {
        let bench = try ConsoleBench()
        await bench.add("ORDER-1")
        let browser = try await bench.browser(.finance)
        let page = try await browser.open("/console/payment/refund?reference=ORDER-1&amount=40.00")
        let key = try #require(page.hidden("key"))
        let path = try #require(page.action)
        let answer = try await browser.submit(
            path, [("key", key), ("amount", "40.00"), ("confirmation", confirmation)])
        #expect(answer.status == 400)
        // The form keeps its key: once its input is right, it is the same refund.
        #expect(answer.hidden("key") == key)
        for other in ["", "key", "console-", "console-x", String(key.dropLast())] {
            let form = [("key", other), ("amount", "40.00"), ("confirmation", "40.00")]
            #expect(try await browser.submit(path, form).status == 400)
        }
        #expect(
            try await browser.submit(path, [("key", key), ("amount", "200.00"), ("confirmation", "200.00")]).status
                == 409)
        #expect(bench.fort.performed.withLock { $0.isEmpty })
    }

    @Test func disabledButtonsSayWhy() async throws {
        let bench = try ConsoleBench()
        await bench.add("CAPTURED")
        await bench.add("UNCERTAIN", state: .uncertain)
        let viewer = try await bench.browser(.viewer).get("/console/payment?reference=CAPTURED").text
        #expect(viewer.contains("It takes the role finance.") && viewer.contains("It takes the role support."))
        let finance = try await bench.browser(.finance)
        let captured = try await finance.get("/console/payment?reference=CAPTURED").text
        #expect(captured.contains("There is nothing left to capture."))
        #expect(captured.contains(#"href="/console/payment/refund?reference=CAPTURED&amp;seen=1""#))
        let uncertain = try await finance.get("/console/payment?reference=UNCERTAIN").text
        #expect(uncertain.contains("is not known yet"))
        #expect(!uncertain.contains("href=\"/console/payment/refund"))
        #expect(try await finance.open("/console/payment/refund?reference=UNCERTAIN").status == 409)
    }

    @Test("a form that was opened before another operation is refused, with the changes since then")
    func anOlderFormIsRefused() async throws {
        let bench = try ConsoleBench()
        await bench.add("ORDER-1")
        let browser = try await bench.browser(.finance)
        let address = "/console/payment/refund?reference=ORDER-1&seen=1"
        let tabs = [try await browser.get(address + "&amount=40.00"), try await browser.get(address + "&amount=40.00")]
        var answers: [ConsoleBench.Answer] = []
        for tab in tabs {
            let form = [
                ("key", try #require(tab.hidden("key"))), ("amount", "40.00"), ("confirmation", "40.00"),
                ("again", "yes"),
            ]
            answers.append(try await browser.submit(try #require(tab.action), form))
        }
        #expect(answers.map(\.status) == [303, 409])
        // The button "back" loads the form's address again.
        for path in [address, address + "&amount=40.00", address + "&amount=10.00"] {
            answers.append(try await browser.get(path))
        }
        for older in answers.dropFirst() {
            #expect(older.status == 409)
            #expect(older.text.contains("The payment has changed since you opened this form"))
            #expect(older.text.contains(", a-finance: Refund of 40.00 AED begun. "))
            #expect(older.text.contains(", a-finance: Refund of 40.00 AED: done. "))
        }
        for seen in ["x", "0", "2", "99999999999999999999", "1%00"] {
            let answer = try await browser.get("/console/payment/refund?reference=ORDER-1&seen=\(seen)")
            #expect(answer.status == 400 || answer.status == 409, "\(seen)")
        }
        #expect(bench.fort.performed.withLock { $0.map(\.1) } == [4_000])
    }

    @Test(
        "what was declined, or is not known, does not look like a success",
        arguments: [
            (
                Outcome<GatewayAnswer>.answered(GatewayAnswer(meaning: .declined, summary: [:], response: [:])),
                "bad"
            ),
            (.unknown(reason: "timeout"), "open"),
        ])
    func aDeclinedRefundIsNotASuccess(report: Outcome<GatewayAnswer>, tone: String) async throws {
        let bench = try ConsoleBench()
        await bench.add("ORDER-1")
        bench.fort.report.withLock { $0 = report }
        let browser = try await bench.browser(.finance)
        let page = try await browser.open("/console/payment/refund?reference=ORDER-1&amount=40.00")
        let form = [("key", try #require(page.hidden("key"))), ("amount", "40.00"), ("confirmation", "40.00")]
        #expect(try await browser.submit(try #require(page.action), form).status == 303)
        let payment = try await browser.get("/console/payment?reference=ORDER-1").text
        // The first page after the refund, from which the form's token was read, had the notice. This is the second.
        #expect(!payment.contains("class=\"notice good\""))
        let dots = payment.matches(of: /<li class="([a-z]*)">/).map { String($0.output.1) }
        #expect(dots == ["good", "open", tone])
    }

    @Test func aQuestionIsInTheHistoryWithTheOperatorsName() async throws {
        let bench = try ConsoleBench()
        await bench.add("ORDER-1", state: .uncertain)
        let browser = try await bench.browser(.support)
        #expect(try await browser.get("/console").text.contains("ORDER-1"))
        #expect(try await browser.submit("/console/payment/ask?reference=ORDER-1").status == 303)
        #expect(bench.fort.asked.withLock { $0 } == 1)
        #expect(try await bench.relay.queriesWithoutChange(of: "ORDER-1").map(\.requester) == [.operator("a-support")])
        let page = try await browser.get("/console/payment?reference=ORDER-1").text
        #expect(page.contains("FORT was queried, and did not answer: it does not answer"))
        #expect(page.contains("Queried by the operator <b><bdi>a-support</bdi></b> once"))
    }

    @Test("a query that was not sent, as with an open circuit breaker, is not shown as an answer")
    func aQuestionThatWasNotSentIsNoAnswer() async throws {
        let bench = try ConsoleBench()
        await bench.add("ORDER-1", state: .uncertain)
        bench.fort.statusReport.withLock { $0 = .notSent(reason: "it has not answered recently") }
        let browser = try await bench.browser(.support)
        #expect(try await browser.submit("/console/payment/ask?reference=ORDER-1").status == 303)
        let page = try await browser.get("/console/payment?reference=ORDER-1").text
        #expect(page.contains("FORT was not queried: it has not answered recently"))
        #expect(!page.contains("FORT was queried"))
    }

    @Test("a final state is never shown beside a sentence that says that the outcome is unknown")
    func nothingContradictsAFinalState() async throws {
        let bench = try ConsoleBench()
        // The code is unknown, and its status declines.
        for (reference, state) in [("ORDER-1", PaymentState.declined), ("ORDER-2", .captured), ("ORDER-3", .uncertain)]
        {
            await bench.add(
                reference, state: state,
                response: ["response_code": "13777", "response_class": "uncertain", "status": "13"])
            let page = try await bench.browser(.viewer).get("/console/payment?reference=\(reference)").text
            #expect(page.contains("the customer may be charged") == (state == .uncertain), "\(reference)")
        }
    }

    @Test func deadLetteredEventsAreListedAndSentAgain() async throws {
        let bench = try ConsoleBench()
        await bench.add("ORDER-1", event: Array(#"{"type":"payment.captured"}"#.utf8))
        for due in await bench.journal.lease(
            DueEvent.self, of: nil, limit: 1, at: .distantFuture, until: .distantFuture)
        {
            try await bench.journal.postpone(due, until: nil, after: nil)
        }
        let browser = try await bench.browser(.support)
        #expect(try await browser.get("/console").text.contains("Send the events of ORDER-1 again"))
        #expect(try await browser.submit("/console/payment/resend?reference=ORDER-1").status == 303)
        #expect(await bench.journal.eventSummary().deadLettered == 0)
        let entry = try #require(try await bench.relay.history(of: "ORDER-1").last)
        #expect(entry.operatorName == "a-support")
        #expect(try await bench.relay.payment("ORDER-1")?.state == .captured)
    }

    @Test("a payment without events is distinguished from an unknown payment")
    func nothingToSendAgain() async throws {
        let bench = try ConsoleBench()
        await bench.add("ORDER-1")
        let browser = try await bench.browser(.support)
        #expect(try await browser.submit("/console/payment/resend?reference=ORDER-1").status == 303)
        let page = try await browser.get("/console/payment?reference=ORDER-1").text
        #expect(page.contains("Nothing was sent: the payment has no event."))
        #expect(try await browser.submit("/console/payment/resend?reference=ORDER-2").status == 404)
    }

    @Test func theSourceOfEachEntryAndTheDeliveriesOfEachEventAreShownAndEscaped() async throws {
        let bench = try ConsoleBench()
        await bench.add("ORDER-1", event: Array(#"{"type":"payment.captured"}"#.utf8))
        let hostile = "<script>alert(1)</script>"
        await bench.journal.record(
            QueryWithoutChange(
                afterEntry: 1, requester: .operator(hostile), answer: .unanswered, reason: hostile, first: .distantPast,
                last: .distantPast, times: 14), of: "ORDER-1")
        for due in await bench.journal.lease(
            DueEvent.self, of: nil, limit: 1, at: .distantFuture, until: .distantFuture)
        {
            try await bench.journal.postpone(
                due, until: nil,
                after: DeliveryAttempt(
                    at: .distantPast, result: .refused, endpoint: hostile, status: 503, milliseconds: 12,
                    answer: "</pre>" + hostile))
        }
        let support = try await bench.browser(.support).get("/console/payment?reference=ORDER-1").text
        #expect(!support.contains(hostile) && support.contains("&lt;script&gt;alert(1)"))
        #expect(support.contains("14 times") && support.contains(": no answer ("))
        #expect(support.contains("No longer sent") && support.contains("<b>503</b>"))
        #expect(support.contains("&lt;/pre&gt;&lt;script&gt;"))
        // A viewer does not see the answers of the merchant's backend.
        let viewer = try await bench.browser(.viewer).get("/console/payment?reference=ORDER-1").text
        #expect(viewer.contains("<b>503</b>") && !viewer.contains("How it answered"))
    }
}
