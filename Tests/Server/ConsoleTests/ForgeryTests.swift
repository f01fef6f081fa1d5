import AccessControl
import HTTPTypes
import PaymentRelay
import Synchronization
import Testing

@testable import Console

/// Attacks from other web pages, and by operators on what their role does not permit.
@Suite struct ForgeryTests {
    private static let refund = "/console/payment/refund?reference=ORDER-1&seen=1"

    private func form(_ browser: Browser) async throws -> [(String, String)] {
        let page = try await browser.open("/console/payment/refund?reference=ORDER-1&amount=40.00")
        let key = try #require(page.hidden("key"))
        return [("key", key), ("amount", "40.00"), ("confirmation", "40.00")]
    }

    @Test(
        "a page of another origin sends nothing, whatever it holds",
        arguments: [
            [HTTPField.Name.secFetchSite: "cross-site"] as HTTPFields, [.secFetchSite: "same-site"],
            [.origin: "https://evil.example"], [.origin: "null"], [.origin: "http://localhost:9"],
        ])
    func anotherOriginSendsNothing(headers: HTTPFields) async throws {
        let bench = try ConsoleBench()
        await bench.add("ORDER-1")
        let browser = try await bench.browser(.finance)
        let form = try await form(browser)
        let token = try await browser.get("/console").hidden("form_token")
        let answer = try await browser.post(Self.refund, form, token: token, headers: headers)
        #expect(answer.status == 403)
        #expect(answer.text.contains("<h1>The form is of another site</h1>") && !answer.text.contains("a-finance"))
        #expect(answer.headers[.contentSecurityPolicy] != nil && answer.headers[.cacheControl] == "no-store")
        #expect(bench.fort.performed.withLock { $0.isEmpty })
        // The login is protected, too: a web page cannot log the operator in as another operator.
        let login = try await bench.send(
            .post, "/console/login", form: [("key", try #require(bench.keys[.viewer]).exposed)], headers: headers)
        #expect(login.status == 403)
        #expect(login.headers[.setCookie] == nil)
    }

    @Test("a form without the session's own token does nothing", arguments: [nil, "", "x", "another session's"])
    func aFormWithoutTheTokenDoesNothing(token: String?) async throws {
        let bench = try ConsoleBench()
        await bench.add("ORDER-1")
        let browser = try await bench.browser(.finance)
        let other = try await bench.browser(.finance).get("/console").hidden("form_token")
        let form = try await form(browser)
        let answer = try await browser.post(
            Self.refund, form, token: token == "another session's" ? other : token,
            headers: [.secFetchSite: "same-origin"])
        #expect(answer.status == 403)
        #expect(bench.fort.performed.withLock { $0.isEmpty })
        for screen in bench.console.screens.all where screen.method == .post {
            let answer = try await browser.post(
                screen.path + "?reference=ORDER-1", form, token: token == nil ? nil : "x")
            #expect(answer.status == 403, "\(screen.path)")
        }
    }

    @Test func nothingIsDoneByAGetRequest() async throws {
        let bench = try ConsoleBench()
        await bench.add("ORDER-1")
        let browser = try await bench.browser(.finance)
        let token = try #require(try await browser.get("/console").hidden("form_token"))
        let query = "&form_token=\(token)&key=console-x&amount=40.00&confirmation=40.00"
        for path in ["ask", "resend", "refund", "void", "capture"] {
            _ = try await browser.get("/console/payment/\(path)?reference=ORDER-1\(query)")
        }
        #expect(try await browser.get("/console/logout").status == 405)
        let put = try await bench.send(.put, "/console/payments")
        #expect(put.status == 405 && put.headers[.allow] == "GET, HEAD")
        #expect(put.text.contains("<h1>Method not allowed</h1>"))
        #expect(try await browser.get("/console").status == 200)
        #expect(bench.fort.performed.withLock { $0.isEmpty })
        #expect(bench.fort.asked.withLock { $0 } == 0)
    }

    @Test("a role that does not suffice is refused, whatever is posted", arguments: OperatorRole.allCases)
    func aRoleIsHeldToWhatItMay(role: OperatorRole) async throws {
        let bench = try ConsoleBench()
        await bench.add("ORDER-1", event: Array(#"{"type":"payment.captured"}"#.utf8))
        let browser = try await bench.browser(role)
        let finance = try await bench.browser(.finance)
        for screen in bench.console.screens.all where screen.method == .post {
            let form = screen.path.hasSuffix("/refund") ? try await form(finance) : []
            let version = try #require(try await bench.relay.payment("ORDER-1")).version
            let answer = try await browser.submit(screen.path + "?reference=ORDER-1&seen=\(version)", form)
            #expect((answer.status == 403) == !role.may(screen.action), "\(screen.path)")
        }
        #expect(bench.fort.performed.withLock { $0.count } == (role == .finance ? 1 : 0))
        let history = try await bench.relay.history(of: "ORDER-1")
        #expect(history.compactMap(\.operatorName).allSatisfy { $0 == "a-\(role.rawValue)" })
        if role == .viewer { #expect(history.count == 1) }
    }

    @Test func anotherHostsNameIsRefused() async throws {
        let bench = try ConsoleBench()
        for host in ["evil.example", "localhost.evil.example", "192.0.2.1"] {
            let answer = try await bench.send(.get, "/console/login", host: host)
            #expect(answer.status == 421, "\(host)")
            #expect(answer.text.contains("<h1>The console is not under this name</h1>"))
            // The page with the refusal has its style sheet, which is the same for everyone. Nothing else is served.
            #expect(try await bench.send(.get, "/console/console.css", host: host).status == 200)
            for path in ["/console/console", "/console/other.css", "/live", "/metrics"] {
                #expect(try await bench.send(.get, path, host: host).status == 421, "\(path)")
            }
            #expect(
                try await bench.send(.get, "/consoles", host: host).headers[.contentType] == "application/problem+json")
            #expect(try await bench.send(.post, "/console/login", form: [("key", "x")], host: host).status == 421)
        }
        #expect(try await bench.send(.get, "/console/login", host: "127.0.0.1:8081").status == 200)
    }

    @Test func noPageIsFramedCachedOrRunsWhatIsInline() async throws {
        let bench = try ConsoleBench()
        await bench.add("ORDER-1")
        let browser = try await bench.browser(.finance)
        var answers = [try await bench.send(.get, "/console/login"), try await browser.get("/console/nothing")]
        for screen in bench.console.screens.all where screen.method == .get {
            let path = screen.path.replacing(":code", with: screen.path.contains("acquirer") ? "51" : "00008")
            answers.append(try await browser.get(path + "?reference=ORDER-1"))
        }
        for answer in answers where answer.status != 303 && answer.headers[.contentDisposition] == nil {
            let policy = try #require(answer.headers[.contentSecurityPolicy])
            #expect(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"))
            #expect(policy.contains("form-action 'self'") && !policy.contains("unsafe") && !policy.contains("http"))
            #expect(answer.headers[.cacheControl] == "no-store")
            #expect(!answer.text.contains(" style=") && !answer.text.contains("<style"))
            #expect(!answer.text.contains("<script>") && !answer.text.contains(" onclick"))
            #expect(!answer.text.contains("http://") && !answer.text.contains("https://"))
        }
    }

    @Test func aFormThatIsTooLargeOrNoneIsRefused() async throws {
        let bench = try ConsoleBench()
        let browser = try await bench.browser(.viewer)
        let fields: HTTPFields = [.cookie: browser.cookie]
        let large = [UInt8](repeating: UInt8(ascii: "a"), count: 70_000)
        #expect(
            try await bench.send(.post, "/console/tokens", body: Array("token=".utf8) + large, headers: fields).status
                == 413)
        #expect(try await bench.send(.post, "/console/login", body: Array("key=".utf8) + large).status == 413)
        for body in ["a", "=", "a=1&a=2", "a=%zz", "a=%00%ff", String(repeating: "a=&", count: 99)] {
            #expect(
                try await bench.send(.post, "/console/tokens", body: Array(body.utf8), headers: fields).status == 400,
                "\(body.prefix(9))")
        }
        var json = fields
        json[.contentType] = "application/json"
        #expect(try await bench.send(.post, "/console/tokens", body: Array("{}".utf8), headers: json).status == 415)
        #expect(try await browser.get("/console/payment?reference=%00").status == 404)
        #expect(try await browser.get("/console/payment?reference=\(String(repeating: "a", count: 300))").status == 404)
        #expect(try await browser.get("/console/payment?reference=1&reference=2").status == 400)
    }
}
