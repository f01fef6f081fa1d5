import AccessControl
import Foundation
import HTTPTypes
import JournalContract
import PaymentRelay
import PayrelayPrimitives
import RelayServer
import Testing

@testable import Console

/// Notes that operators leave on a payment for each other, and the resending of all failed events.
@Suite struct NotesTests {
    private let bench: ConsoleBench
    private static let note = "/console/payment/note?reference=ORDER-1"

    init() throws { bench = try ConsoleBench() }

    @Test("a note is text on the payment's page, with its writer, and no list and no client has it")
    func isText() async throws {
        await bench.add("ORDER-1")
        let support = try await bench.browser(.support)
        let text = "<script>alert(1)</script>\r\n\u{202E}evil\u{202C} \u{7}سارة & x"
        #expect(try await support.submit(Self.note, [("note", text)]).status == 303)
        let page = try await bench.browser(.viewer).get("/console/payment?reference=ORDER-1").text
        #expect(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;\nevil سارة &amp; x"))
        #expect(!page.contains("<script>alert") && !page.contains("\u{202E}") && !page.contains("\u{7}"))
        #expect(page.contains("<b><bdi>a-support</bdi></b>") && page.contains("note written"))
        for path in ["/console/changes", "/console/audit", "/console/changes.csv", "/console/audit.csv", "/console"] {
            #expect(try await !support.get(path).text.contains("evil"), "\(path)")
        }
        let payment = try #require(try await bench.relay.payment("ORDER-1"))
        let seen = payment.view(with: try await bench.relay.history(of: "ORDER-1"))
        #expect(!String(decoding: JSON.object(seen).encoded(), as: UTF8.self).contains("evil"))
        #expect(
            try await bench.journal.eraseCustomerData(
                of: "ORDER-1", at: Date(), knowing: bench.relay.gateways.vocabulary))
        #expect(try await !support.get("/console/payment?reference=ORDER-1").text.contains("evil"))
    }

    @Test("a note that is empty, too long, forged or by a role that may not is not written")
    func refusals() async throws {
        await bench.add("ORDER-1")
        let support = try await bench.browser(.support)
        for (text, said) in [
            ("", "has no text"), ("\u{202E}\u{7}", "has no text"), (String(repeating: "é", count: 501), "500"),
        ] {
            let answer = try await support.submit(Self.note, [("note", text)])
            #expect(answer.status == 400 && answer.text.contains(said))
        }
        #expect(try await support.post(Self.note, [("note", "x")], token: nil).status == 403)
        #expect(try await support.submit("/console/payment/note?reference=NONE", [("note", "x")]).status == 404)
        let viewer = try await bench.browser(.viewer)
        #expect(try await viewer.submit(Self.note, [("note", "x")]).status == 403)
        #expect(try await !viewer.get("/console/payment?reference=ORDER-1").text.contains("<textarea"))
        #expect(try await bench.relay.history(of: "ORDER-1").count == 1)
    }

    @Test("the list says who has taken a payment; that operator and the role finance can release it")
    func taking() async throws {
        await bench.add("OPEN-1", state: .uncertain)
        let support = try await bench.browser(.support)
        let viewer = try await bench.browser(.viewer)
        let finance = try await bench.browser(.finance)
        let (take, release) = ("/console/payment/take?reference=OPEN-1", "/console/payment/release?reference=OPEN-1")
        #expect(try await support.get("/console").text.contains(#"aria-label="Take OPEN-1""#))
        #expect(try await support.submit(take, [("list", "attention")]).headers[.location] == "/console")
        #expect(try await support.get("/console").text.contains("You have taken it"))
        let seen = try await viewer.get("/console").text
        #expect(seen.contains("Taken by <b><bdi>a-support</bdi></b>"))
        #expect(!seen.contains("/console/payment/take") && !seen.contains("/console/payment/release"))
        #expect(try await viewer.submit(release).status == 403)
        #expect(try await finance.submit(take).status == 303)
        #expect(try await finance.get("/console").text.contains("a-support has taken it, and can release it"))
        #expect(try await finance.submit(release).headers[.location] == "/console/payment?reference=OPEN-1")
        #expect(try await bench.relay.payment("OPEN-1")?.taken == nil)
        #expect(try await finance.submit(take).status == 303)
        #expect(try await support.submit(release).status == 303)
        #expect(try await bench.relay.payment("OPEN-1")?.taken?.operatorName == "a-finance")
        #expect(try await !support.get("/console").text.contains("/console/payment/release"))
    }

    @Test("all failed events are sent again by one form, which is the session's own and takes the role support")
    func resendsAll() async throws {
        for number in 0..<3 { await bench.add("F-\(number)", event: Array(#"{"type":"payment.captured"}"#.utf8)) }
        func fail() async throws {
            for event in await bench.journal.lease(DueEvent.self, of: nil, limit: 9, at: Date(), until: Date() + 60) {
                try await bench.journal.postpone(event, until: nil)
            }
        }
        try await fail()
        let support = try await bench.browser(.support)
        #expect(try await support.get("/console").text.contains("Send all failed events again"))
        let other = try await bench.browser(.support).get("/console").hidden("form_token")
        for token in [nil, "", "x", other] {
            #expect(try await support.post("/console/resend", [], token: token).status == 403)
        }
        #expect(
            try await support.post(
                "/console/resend", [], token: support.get("/console").hidden("form_token"),
                headers: [.secFetchSite: "cross-site"]
            ).status == 403)
        let viewer = try await bench.browser(.viewer)
        #expect(try await viewer.submit("/console/resend").status == 403)
        #expect(try await !viewer.get("/console").text.contains("/console/resend"))
        #expect(try await support.get("/console/resend").status == 405)
        #expect(await bench.journal.eventSummary().deadLettered == 3)

        #expect(try await support.submit("/console/resend").status == 303)
        #expect(try await support.get("/console").text.contains("The failed events of 3 payments are on their way"))
        #expect(await bench.journal.eventSummary().deadLettered == 0)
        #expect(try await support.submit("/console/resend").status == 303)
        #expect(try await support.get("/console").text.contains("No event was sent"))
        let audit = try await viewer.get("/console/audit?operator=a-support").text
        #expect(audit.components(separatedBy: "the events that failed are sent again").count == 4)
    }
}
