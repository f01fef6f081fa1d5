import AccessControl
import Foundation
import HTTPTypes
import PaymentRelay
import PayrelayPrimitives
import Testing

@testable import Console

/// The most frequent questions at a support desk.
@Suite struct DeskTests {
    private func links(_ text: String) -> [String] {
        text.matches(of: /<th scope="row"><a href="\/console\/payment\?reference=([^"]+)"/).map { String($0.output.1) }
            .sorted()
    }

    @Test(
        "a card is found by scheme and digits, and by its whole mask, and a payment's link to its card finds no other")
    func cards() async throws {
        let bench = try ConsoleBench()
        for (reference, mask, scheme) in [
            ("V", "411111******0492", "VISA"), ("M", "512345******0492", "MASTERCARD"),
            ("N", "545454******0492", "MASTERCARD"), ("O", "512345******1111", "MASTERCARD"),
        ] {
            await bench.add(
                reference, response: ["card_number": .string(mask), "payment_option": .string(scheme)])
        }
        let browser = try await bench.browser(.viewer)
        func found(_ text: String) async throws -> [String] {
            links(try await browser.get(Links.payments([("q", text)])).text)
        }
        #expect(try await found("0492") == ["M", "N", "V"])
        #expect(try await found("MasterCard 0492") == ["M", "N"])
        #expect(try await found("512345******0492") == ["M"])
        #expect(try await found("512345 XXXXXX 0492") == ["M"])
        let link = Links.payments([("q", "512345******0492")])
        let page = try await browser.get("/console/payment?reference=M").text
        #expect(page.replacing("&amp;", with: "&").contains(link), "\(link)")
    }

    @Test("a payment of the same card or customer and amount within a day is a possible duplicate, if both took money")
    func duplicates() async throws {
        let bench = try ConsoleBench()
        let now = Date()
        let card: JSONObject = ["card_number": "411111******0492"]
        await bench.add("A", response: card, at: now)
        await bench.add("SAME-CARD", response: card, at: now - 360)
        await bench.add("SAME-CUSTOMER", at: now + 7_200, email: "sara@example.com")
        await bench.add("B", at: now, email: "Sara@Example.com")
        for (reference, state, amount, moment) in [
            ("DECLINED", PaymentState.declined, 10_000, now), ("OTHER-AMOUNT", .captured, 10_001, now),
            ("LONG-AGO", .captured, 10_000, now - 90_000),
        ] as [(String, PaymentState, MinorUnits, Date)] {
            await bench.add(
                reference, state: state, amount: amount, response: card, at: moment, email: "sara@example.com")
        }
        await bench.add("OTHER-CARD", response: ["card_number": "555555******0492"], at: now)
        let browser = try await bench.browser(.viewer)
        func named(_ reference: String) async throws -> [String] {
            try await browser.get("/console/payment?reference=\(reference)").text
                .matches(of: /Possible duplicate: <a href="[^"]+"><bdi>([^<]+)<\/bdi><\/a>, the same amount, ([^.]+)\./)
                .map { "\($0.output.1): \($0.output.2)" }
        }
        #expect(try await named("A") == ["SAME-CARD: the same card, 6 min before"])
        #expect(try await named("B") == ["SAME-CUSTOMER: the same customer, 2 h after"])
        #expect(try await named("DECLINED").isEmpty)
        #expect(try await named("OTHER-CARD").isEmpty)
    }

    @Test("a payment's page names the three possible duplicates nearest in time, and says if there are more")
    func manyDuplicates() async throws {
        let bench = try ConsoleBench()
        let now = Date()
        let card: JSONObject = ["card_number": "411111******0492"]
        for (reference, seconds) in [("A", 0), ("B", -7_200), ("C", 60), ("D", -3_600), ("E", 600), ("F", 9_000)] {
            await bench.add(reference, response: card, at: now + TimeInterval(seconds))
        }
        await bench.add("LONE", amount: 20_000, response: card, at: now)
        let browser = try await bench.browser(.viewer)
        let page = try await browser.get("/console/payment?reference=A").text
        let named = page.matches(of: /Possible duplicate: <a href="[^"]+"><bdi>([^<]+)</).map { String($0.output.1) }
        #expect(named == ["C", "E", "D"])
        #expect(page.contains("There are more possible duplicates"))
        let lone = try await browser.get("/console/payment?reference=LONE").text
        #expect(!lone.contains("There are more possible duplicates"))
    }

    @Test("the sentence for a decline is beside the outcome, and only once")
    func whatToSay() async throws {
        let bench = try ConsoleBench()
        await bench.add(
            "D", state: .declined, response: ["response_code": "13012", "response_message": "Card expired."])
        await bench.add("C")
        let browser = try await bench.browser(.viewer)
        let declined = try await browser.get("/console/payment?reference=D").text
        let said = try #require(declined.firstRange(of: "Say to the customer: <span lang=\"en\">"))
        #expect(said.lowerBound < (try #require(declined.firstRange(of: "What you can do")).lowerBound))
        #expect(!declined.contains("To the customer: <span"))
        #expect(try await !browser.get("/console/payment?reference=C").text.contains("Say to the customer"))
    }

    @Test("the one sensible next action is the primary button, and a settled payment has none")
    func primaryAction() async throws {
        let bench = try ConsoleBench()
        await bench.add("U", state: .uncertain)
        await bench.add("A", state: .authorized)
        await bench.add("C", state: .captured)
        let browser = try await bench.browser(.finance)
        func primary(_ reference: String) async throws -> [String] {
            try await browser.get("/console/payment?reference=\(reference)").text
                .matches(of: /(?:class="button primary"[^>]*>|<button class="primary">)([^<]+)</).map {
                    String($0.output.1)
                }
        }
        #expect(try await primary("U") == ["Ask FORT now"])
        #expect(try await primary("A") == ["Capture…"])
        #expect(try await primary("C").isEmpty)
    }

    @Test("a search for a code that no reference begins with shows its payments and its meaning")
    func codes() async throws {
        let bench = try ConsoleBench()
        await bench.add(
            "D", state: .declined, response: ["response_code": "13012", "response_message": "Card expired."])
        await bench.add("C")
        let browser = try await bench.browser(.viewer)
        let page = try await browser.open("/console/payments?q=13012").text
        #expect(links(page) == ["D"])
        #expect(page.contains("<p class=\"advice\"><b>13012</b>") && page.contains("To the customer:"), "\(page)")
        #expect(try await links(browser.get("/console/payments?q=declined").text) == ["D"])
    }

    @Test("from and before take times in words")
    func times() async throws {
        let bench = try ConsoleBench()
        await bench.add("NEW", at: Date() - 60)
        await bench.add("OLD", at: Date() - 3 * 3_600)
        let browser = try await bench.browser(.viewer)
        #expect(try await links(browser.get("/console/payments?claimed_from=last+hour").text) == ["NEW"])
        #expect(try await links(browser.get("/console/payments?claimed_to=1+hour+ago").text) == ["OLD"])
        let wrong = try await browser.get("/console/payments?claimed_from=once")
        #expect(wrong.status == 400 && wrong.text.contains("last hour, 2 hours ago"))
    }

    @Test("filters that are not used are folded, and those that are used are not")
    func folding() async throws {
        let bench = try ConsoleBench()
        let browser = try await bench.browser(.viewer)
        #expect(
            try await browser.get("/console/payments").text.contains("<details class=\"grow\"><summary>More filters"))
        for filter in ["account=default", "currency=AED", "claimed_from=today"] {
            #expect(try await browser.get("/console/payments?\(filter)").text.contains("<details class=\"grow\" open>"))
        }
    }

    @Test("open payments are grouped by their cause, with the number, the next step and the runbook's section")
    func attention() async throws {
        let bench = try ConsoleBench()
        for number in 1...3 { await bench.add("U\(number)", state: .uncertain) }
        let page = try await bench.browser(.viewer).get("/console").text
        #expect(page.contains("<h3>Not queried yet <span class=\"count\">3</span></h3>"), "\(page)")
        #expect(page.matches(of: /Runbook: Payments that stay uncertain/).count == 1)
        #expect(page.contains(" s ago</time>") && page.contains("data-ago"))
    }

    @Test("an amount with a comma is understood in the refund's form, and refused if it could be thousands")
    func commas() throws {
        #expect(try Money.parse("6,25", "AED") == 625)
        #expect(try Money.parse("1.250,00", "AED") == 125_000)
        #expect(try Money.parse("6,250", "AED") == 625_000)
        #expect(throws: (any Error).self) { try Money.parse("6,250", "KWD") }
        #expect(try Money.parse("6.250", "KWD") == 6_250)
    }

    @Test("the login page says what the service is, and has no footer about amounts")
    func login() async throws {
        let bench = try ConsoleBench()
        let page = try await bench.send(.get, "/console/login").text
        #expect(page.contains("payrelay relays Apple Pay payments") && !page.contains("Amounts are in"))
    }
}
