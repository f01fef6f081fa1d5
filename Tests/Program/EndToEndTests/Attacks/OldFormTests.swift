import Foundation
import OutboundHTTP
import PayrelayPrimitives
import Testing

/// An operator goes back to a form that was already carried out, or has it open in two tabs. The money moves once.
@Suite struct OldFormTests {
    @Test(
        "R1: a form of the console that was opened before a refund refunds nothing, on the way back and in another tab")
    func anOlderFormMovesNothing() async throws {
        let added = try await AddedOperator("sara", role: "finance")
        let relay = try await RunningRelay(["PAYRELAY_OPERATORS": added.line])
        let reference = Orders.reference()
        #expect(try await relay.pay(Orders.body(reference).json).outcome == "captured")
        let browser = try await LoggedInOperator(added, at: relay)
        let link = try #require(try await address(of: "refund", on: reference, browser))
        let form = link + "&amount=40.00"
        let (tab, other) = (try await browser.get(form), try await browser.get(form))
        #expect(try await send(tab, browser).status == 303)
        // The other tab submits its form, confirmed.
        let second = try await send(other, browser, again: true)
        #expect(second.status == 409 && text(second).contains("The payment has changed since you opened this form"))
        // The operator goes back: the browser loads the form's address anew, and the operator enters the amount and confirms.
        let back = try await browser.get(form)
        #expect(back.status == 409 && text(back).contains("sara: Refund of 40.00 AED: done."))
        #expect(try await browser.get(link).status == 409)
        let payment = try await relay.get("/v1/payments/\(reference)")
        #expect(payment.json?["refunded_amount"] == 4_000)
        let books = try await relay.sandbox.books().first { $0["merchant_reference"]?.stringValue == reference }
        #expect(books?["refunded_amount"] == 4_000)
    }

    private func text(_ answer: OutboundAnswer) -> String { String(decoding: answer.body, as: UTF8.self) }

    /// Returns the address behind a button of the payment's page.
    private func address(of name: String, on reference: String, _ browser: LoggedInOperator) async throws -> String? {
        let page = text(try await browser.get("/console/payment?reference=\(reference)"))
        return try page.firstMatch(of: Regex(#"href="(/console/payment/\#(name)\?[^"]*)""#)).flatMap {
            $0.output[1].substring.map { String($0).replacing("&amp;", with: "&").replacing("&#61;", with: "=") }
        }
    }

    private func send(
        _ page: OutboundAnswer, _ browser: LoggedInOperator, again: Bool = false
    ) async throws -> OutboundAnswer {
        let text = text(page)
        let key = try #require(text.firstMatch(of: /name="key" value="([^"]*)"/)).output.1
        let action = try #require(text.firstMatch(of: /method="post" action="(\/console\/payment\/refund[^"]*)"/))
            .output.1
        return try await browser.submit(
            String(action).replacing("&amp;", with: "&").replacing("&#61;", with: "="),
            [("key", String(key)), ("amount", "40.00"), ("confirmation", "40.00")]
                + (again ? [(name: "again", value: "yes")] : []))
    }
}
