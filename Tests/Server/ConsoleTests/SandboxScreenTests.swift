import AccessControl
import FortAPI
import FortSandbox
import OutboundHTTP
import PayrelayPrimitives
import PortmoneSandbox
import SandboxParts
import Synchronization
import Testing

@testable import Console

/// The sandboxes of `payrelay-dev` in the console.
@Suite struct SandboxScreenTests {
    private let fort: FortSandbox
    private let portmone = PortmoneSandbox(accounts: [])

    init() throws {
        let account = try FortAccount(
            accessCode: "ACCESS", merchantIdentifier: "MERCHANT", requestPhrase: Secret("a"),
            responsePhrase: Secret("b"))
        fort = FortSandbox(accounts: FortAccounts(account))
    }

    private var desk: SandboxDesk {
        SandboxDesk(checkoutURL: nil, sandboxes: [fort, portmone], exchanges: { _ in [] })
    }

    /// A gateway whose texts contain markup.
    private final class Hostile: SandboxOnDesk {
        typealias Fault = SandboxFault
        typealias Command = FortCommand
        static let name = "hostile"
        static let title = "<h1>"
        static let messageAddresses: KeyValuePairs = ["url": "<label>"]
        private let schedule = Mutex(FaultSchedule([]))

        var faults: FaultSchedule {
            get { schedule.withLock { $0 } }
            set { schedule.withLock { $0 = newValue } }
        }
        var messages: JSONObject { ["url": "\"><script>", "delivered": 1, "given_up": 0] }
        func setMessages(_ json: JSON?) throws(ValidationErrors) {}
        func newestOrders(limit: Int) async -> [OrderOnDesk] {
            [
                OrderOnDesk(
                    merchantReference: "A<b>", gatewayReference: "<i>", kind: "<u>", amount: 10_000, currency: "AED",
                    isCharged: true, isVoided: false, captured: 10_000, refunded: 2_500)
            ]
        }
    }

    @Test("A relay whose gateways are not in its process has no sandbox in its console")
    func isAbsentFromServe() async throws {
        let browser = try await ConsoleBench().browser(.finance)
        #expect(try await browser.get("/console/sandbox").status == 404)
        #expect(try await !browser.get("/console").text.contains("/console/sandbox"))
        #expect(try await browser.submit("/console/sandbox/fort/faults", [("fault", "slow")]).status == 404)
    }

    @Test("The books, the messages and the link to the checkout page are shown, and their texts are escaped")
    func showsBooksAndWire() async throws {
        let exchange: JSONObject = [
            "with": "hostile", "request": "{\"a\":\"<script>\"}", "signed_text": "phrasea=b", "remark": "no answer",
        ]
        let desk = SandboxDesk(
            checkoutURL: "http://127.0.0.1:8080/", sandboxes: [Hostile()], exchanges: { _ in [exchange] })
        let browser = try await ConsoleBench(sandbox: desk).browser(.viewer)
        let page = try await browser.get("/console/sandbox")
        #expect(page.status == 200)
        #expect(page.text.contains("A&lt;b&gt;") && page.text.contains("charged, 10000 captured, 2500 refunded"))
        #expect(page.text.contains("href=\"http://127.0.0.1:8080/\""))
        #expect(page.text.contains("relay and &lt;h1&gt;: no answer") && page.text.contains("phrasea=b"))
        for markup in ["<script>", "<h2><h1>", "<i>", "<u>", "A<b>", "<label><label>"] {
            #expect(!page.text.contains(markup), "\(markup)")
        }
        #expect(try await browser.get("/console").text.contains("/console/sandbox"))
    }

    @Test("A fault is injected and ended by a form of the role support, and a bad one is refused by its name")
    func injectsFaults() async throws {
        let bench = try ConsoleBench(sandbox: desk)
        let viewer = try await bench.browser(.viewer)
        #expect(try await viewer.submit("/console/sandbox/fort/faults", [("fault", "slow")]).status == 403)
        let support = try await bench.browser(.support)
        let form = [("fault", "slow"), ("command", "PURCHASE"), ("count", "3")]
        #expect(try await support.submit("/console/sandbox/fort/faults", form).status == 303)
        let slow = FaultRule(.slow, command: .purchase, count: 3, seconds: 2)
        #expect(fort.faults.rules == [slow] && portmone.faults.rules.isEmpty)
        let refused = try await support.submit("/console/sandbox/fort/faults", [("fault", "slow"), ("count", "many")])
        #expect(refused.status == 400 && refused.text.contains("faults[0].count must be"))
        #expect(fort.faults.rules == [slow])
        #expect(try await support.submit("/console/sandbox/fort/faults", [("fault", "")]).status == 303)
        #expect(fort.faults.rules.isEmpty)
    }

    @Test("Each gateway has faults and requests of its own, and takes no other's")
    func keepsGatewaysApart() async throws {
        let support = try await ConsoleBench(sandbox: desk).browser(.support)
        let page = try await support.get("/console/sandbox").text
        #expect(page.contains("<h2>FORT</h2>") && page.contains("<h2>Portmone</h2>"))
        let form = [("fault", "other_order"), ("command", "APay")]
        #expect(try await support.submit("/console/sandbox/portmone/faults", form).status == 303)
        #expect(portmone.faults.rules == [PortmoneFaultRule(.otherOrder, command: .aPay)] && fort.faults.rules.isEmpty)
        #expect(try await support.submit("/console/sandbox/fort/faults", form).status == 400)
        #expect(try await support.submit("/console/sandbox/paypal/faults", form).status == 404)
    }

    @Test("Messages go to the form's addresses; an address that is left out gets none")
    func choosesAddresses() async throws {
        let support = try await ConsoleBench(sandbox: desk).browser(.support)
        let feedback = [("direct_url", "http://127.0.0.1:8080/v1/feedback/direct"), ("notification_url", "")]
        #expect(try await support.submit("/console/sandbox/fort/messages", feedback).status == 303)
        #expect(fort.feedback?.directURL?.url == feedback[0].1 && fort.feedback?.notificationURL == nil)
        let notifications = [("url", "http://127.0.0.1:8080/v1/portmone/notifications")]
        #expect(try await support.submit("/console/sandbox/portmone/messages", notifications).status == 303)
        #expect(portmone.notifications?.url == notifications[0].1)
        let elsewhere = try await support.submit(
            "/console/sandbox/portmone/messages", [("url", "http://shop.example/")])
        #expect(elsewhere.status == 400 && portmone.notifications?.url == notifications[0].1)
        #expect(try await support.submit("/console/sandbox/portmone/messages", [("url", "")]).status == 303)
        #expect(portmone.notifications == nil)
    }
}
