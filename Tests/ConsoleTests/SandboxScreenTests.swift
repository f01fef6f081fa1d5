import AccessControl
import FortSandbox
import PayrelayPrimitives
import Synchronization
import Testing

@testable import Console

/// The sandbox of `payrelay dev` in the console.
@Suite struct SandboxScreenTests {
    private final class Desk: Sendable {
        let faults = Mutex<JSON>(["faults": []])
        let feedback = Mutex<JSON>([:])

        var desk: SandboxDesk {
            SandboxDesk(
                checkoutURL: "http://127.0.0.1:8080/", faultNames: ["never_answer", "slow"], commands: ["PURCHASE"],
                orders: { _ in
                    [
                        [
                            "merchant_reference": "A<b>", "command": "PURCHASE", "amount": 10_000, "currency": "AED",
                            "fort_id": "1492", "charged": true, "captured_amount": 10_000, "refunded_amount": 2_500,
                        ]
                    ]
                },
                faults: { [self] in faults.withLock { $0 } },
                setFaults: { [self] (json) throws(ValidationErrors) in
                    let count = json.objectValue?["faults"]?.arrayValue?.first?.objectValue?["count"]
                    guard count?.stringValue == nil else {
                        throw ValidationErrors([ValidationError(field: "faults[0].count", detail: "must be a number")])
                    }
                    faults.withLock { $0 = json }
                },
                feedback: { [self] in feedback.withLock { $0 } },
                setFeedback: { [self] (json) throws(ValidationErrors) in feedback.withLock { $0 = json } },
                exchanges: { _ in
                    [
                        [
                            "with": "fort", "request": "{\"a\":\"<script>\"}", "signed_text": "phrasea=b",
                            "remark": "no answer",
                        ]
                    ]
                })
        }
    }

    @Test("A relay whose FORT is not in its process has no sandbox in its console")
    func isAbsentFromServe() async throws {
        let browser = try await ConsoleBench().browser(.finance)
        #expect(try await browser.get("/console/sandbox").status == 404)
        #expect(try await !browser.get("/console").text.contains("/console/sandbox"))
        #expect(try await browser.submit("/console/sandbox/faults", [("fault", "slow")]).status == 404)
    }

    @Test("The books, the wire and the way to the checkout page are shown, and what they hold is escaped")
    func showsBooksAndWire() async throws {
        let browser = try await ConsoleBench(sandbox: Desk().desk).browser(.viewer)
        let page = try await browser.get("/console/sandbox")
        #expect(page.status == 200)
        #expect(page.text.contains("A&lt;b&gt;") && page.text.contains("charged, 10000 captured, 2500 refunded"))
        #expect(page.text.contains("href=\"http://127.0.0.1:8080/\""))
        #expect(page.text.contains("relay and FORT: no answer") && page.text.contains("phrasea=b"))
        #expect(!page.text.contains("<script>\"}"))
        #expect(try await browser.get("/console").text.contains("/console/sandbox"))
    }

    @Test("A fault is injected and ended by a form of the role support, and a bad one is refused by its name")
    func injectsFaults() async throws {
        let desk = Desk()
        let bench = try ConsoleBench(sandbox: desk.desk)
        let viewer = try await bench.browser(.viewer)
        #expect(try await viewer.submit("/console/sandbox/faults", [("fault", "slow")]).status == 403)
        let support = try await bench.browser(.support)
        let form = [("fault", "slow"), ("command", "PURCHASE"), ("count", "3")]
        #expect(try await support.submit("/console/sandbox/faults", form).status == 303)
        let slow: JSON = ["faults": [["fault": "slow", "command": "PURCHASE", "count": 3, "seconds": 2]]]
        #expect(desk.faults.withLock { $0 } == slow)
        let refused = try await support.submit("/console/sandbox/faults", [("fault", "slow"), ("count", "many")])
        #expect(refused.status == 400 && refused.text.contains("faults[0].count must be a number"))
        #expect(desk.faults.withLock { $0 } == slow)
        #expect(try await support.submit("/console/sandbox/faults", [("fault", "")]).status == 303)
        #expect(desk.faults.withLock { $0 } == ["faults": []])
    }

    @Test("Feedback goes where the form says; an address that is left out gets none")
    func choosesFeedback() async throws {
        let desk = Desk()
        let support = try await ConsoleBench(sandbox: desk.desk).browser(.support)
        let form = [("direct_url", "http://127.0.0.1:8080/v1/fort/feedback"), ("notification_url", "")]
        #expect(try await support.submit("/console/sandbox/feedback", form).status == 303)
        #expect(desk.feedback.withLock { $0 } == ["direct_url": "http://127.0.0.1:8080/v1/fort/feedback"])
    }
}
