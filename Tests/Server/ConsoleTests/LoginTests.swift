import AccessControl
import HTTPTypes
import Synchronization
import Testing

@testable import Console

/// Attacks on the login and on sessions.
@Suite struct LoginTests {
    @Test func aKeyIsExchangedForASessionAndIsInNoAnswer() async throws {
        let bench = try ConsoleBench()
        let key = try #require(bench.keys[.viewer]).exposed
        let answer = try await bench.send(.post, "/console/login", form: [("key", key)])
        #expect(answer.status == 303)
        #expect(answer.headers[.location] == "/console")
        let cookie = try #require(answer.headers[.setCookie])
        #expect(cookie.hasSuffix("; Path=/; HttpOnly; SameSite=Strict"))
        #expect(!cookie.contains(key))
        let page = try await Browser(bench: bench, cookie: try #require(answer.cookie)).get("/console")
        #expect(page.status == 200)
        #expect(page.text.contains("<bdi>a-viewer</bdi>"))
        #expect(!page.text.contains(key))
    }

    @Test func overTLSTheCookieIsBoundToTheHost() async throws {
        let bench = try ConsoleBench(isTLS: true)
        let cookie = try await bench.send(
            .post, "/console/login", form: [("key", try #require(bench.keys[.viewer]).exposed)]
        ).headers[.setCookie]
        #expect(cookie?.hasPrefix("__Host-payrelay=") == true)
        #expect(cookie?.hasSuffix("; Path=/; HttpOnly; SameSite=Strict; Secure") == true)
    }

    @Test func everyPageNeedsASession() async throws {
        let bench = try ConsoleBench()
        await bench.add("ORDER-1")
        for screen in bench.console.screens.all {
            let path = screen.path.replacing("{code}", with: "00008") + "?reference=ORDER-1"
            let answer = try await bench.send(
                screen.method, path, form: screen.method == .post ? [("form_token", "x")] : nil)
            #expect(answer.status == 303, "\(screen.method) \(path)")
            #expect(answer.headers[.location]?.hasPrefix("/console/login") == true, "\(screen.method) \(path)")
            #expect(answer.text.isEmpty)
        }
        #expect(try await bench.send(.get, "/console/nothing").status == 303)
    }

    @Test("a session that has ended is said to have, and a form of it leads back to its payment")
    func anEndedSessionIsToldPlainly() async throws {
        let bench = try ConsoleBench()
        await bench.add("ORDER-1")
        #expect(try await !bench.send(.get, "/console/login").text.contains("Your session has ended"))
        // The situation is that after a restart: the browser has a cookie that this relay does not know.
        let browser = Browser(bench: bench, cookie: "payrelay_console=\(Sessions.randomText())")
        let sent = try await browser.post(
            "/console/payment/refund?reference=ORDER-1", [("amount", "1.00")], token: "x")
        #expect(sent.status == 303)
        let login = try #require(sent.headers[.location])
        #expect(login == "/console/login?then=%2Fconsole%2Fpayment%3Freference%3DORDER-1")
        let page = try await browser.get(login).text
        #expect(page.contains("Your session has ended") && page.contains("was not carried out"))
        #expect(bench.fort.performed.withLock { $0.isEmpty })
    }

    @Test(
        "nothing but an operator's key logs in",
        arguments: [
            "", "payrelay_op_", OperatorKey().exposed, APIKey().exposed, "' OR 1=1 --",
            String(repeating: "A", count: 4_000),
        ])
    func nothingElseLogsIn(key: String) async throws {
        let bench = try ConsoleBench()
        let answer = try await bench.send(.post, "/console/login", form: [("key", key)])
        #expect(answer.status == 401)
        #expect(answer.headers[.setCookie] == nil)
        if key.count > 20 { #expect(!answer.text.contains(key.prefix(100))) }
        #expect(bench.console.sessions.count == 0)
    }

    @Test("S14: failed logins are limited, and do not lock out an operator with a key, even from the same address")
    func failedLoginsAreLimited() async throws {
        let bench = try ConsoleBench()
        var statuses: [Int] = []
        for _ in 0..<40 {
            statuses.append(
                try await bench.send(.post, "/console/login", form: [("key", OperatorKey().exposed)]).status)
        }
        #expect(statuses.prefix(10).allSatisfy { $0 == 401 })
        #expect(statuses.last == 429)
        let right = try await bench.send(
            .post, "/console/login", form: [("key", try #require(bench.keys[.finance]).exposed)])
        #expect(right.status == 303)
        #expect(right.headers[.setCookie] != nil)
        let wrong = try await bench.send(.post, "/console/login", form: [("key", OperatorKey().exposed)])
        #expect(wrong.status == 429)
        #expect(wrong.headers[.retryAfter] != nil)
    }

    @Test("a session that a browser brings along is never taken: fixation")
    func aSessionIsNeverTakenFromTheBrowser() async throws {
        let bench = try ConsoleBench()
        let planted = String(repeating: "A", count: 43)
        let answer = try await bench.send(
            .post, "/console/login", form: [("key", try #require(bench.keys[.finance]).exposed)],
            headers: [.cookie: "payrelay_console=\(planted)"])
        #expect(answer.cookie != "payrelay_console=\(planted)")
        #expect(try await Browser(bench: bench, cookie: "payrelay_console=\(planted)").get("/console").status == 303)
    }

    @Test func anotherLoginEndsTheSessionThatTheBrowserHad() async throws {
        let bench = try ConsoleBench()
        let first = try await bench.browser(.viewer)
        let second = try await bench.send(
            .post, "/console/login", form: [("key", try #require(bench.keys[.finance]).exposed)],
            headers: [.cookie: first.cookie])
        #expect(second.status == 303)
        #expect(try await first.get("/console").status == 303)
        #expect(bench.console.sessions.count == 1)
    }

    @Test func twoCookiesOfTheNameAreNone() async throws {
        let bench = try ConsoleBench()
        let browser = try await bench.browser(.viewer)
        let doubled = Browser(bench: bench, cookie: "payrelay_console=other; \(browser.cookie)")
        #expect(try await doubled.get("/console").status == 303)
        #expect(try await browser.get("/console").status == 200)
    }

    @Test func logoutEndsTheSessionInTheServer() async throws {
        let bench = try ConsoleBench()
        let browser = try await bench.browser(.viewer)
        // Without the form's token no operator is logged out.
        #expect(try await browser.post("/console/logout", [], token: nil).status == 403)
        #expect(try await browser.get("/console").status == 200)
        let answer = try await browser.submit("/console/logout")
        #expect(answer.status == 303)
        #expect(answer.headers[.setCookie]?.contains("Max-Age=0") == true)
        // A copy of the cookie is useless now.
        #expect(try await browser.get("/console").status == 303)
        #expect(bench.console.sessions.count == 0)
    }

    @Test func aSessionEndsWhenItIsNotUsedAndWhenItIsOld() async throws {
        let bench = try ConsoleBench()
        let idle = try await bench.browser(.viewer)
        let used = try await bench.browser(.support)
        for _ in 0..<23 {
            bench.wait(.seconds(29 * 60))
            #expect(try await used.get("/console").status == 200)
        }
        #expect(try await idle.get("/console").status == 303)
        // After 12 hours the session ends, however often it is used.
        bench.wait(.seconds(29 * 60))
        _ = try await used.get("/console")
        bench.wait(.seconds(29 * 60))
        #expect(try await used.get("/console").status == 303)
    }

    @Test func aSessionEndsWithTheKeyAndTakesItsNewRole() async throws {
        let bench = try ConsoleBench()
        let browser = try await bench.browser(.finance)
        let key = try #require(bench.keys[.finance])
        await bench.add("ORDER-1")
        bench.operators.replace(
            with: Operators([try OperatorEntry(name: "a-finance", permission: .viewer, key: key)]))
        #expect(try await browser.get("/console/payment/refund?reference=ORDER-1").status == 403)
        bench.operators.replace(with: Operators())
        #expect(try await browser.get("/console").status == 303)
        #expect(bench.console.sessions.count == 0)
    }

    @Test func theSessionsOfAKeyAreBounded() async throws {
        let bench = try ConsoleBench()
        let key = try #require(bench.keys[.viewer])
        let entry = try #require(bench.operators.value.entry(with: key))
        let first = bench.console.sessions.begin(for: entry, endingThatOf: nil)
        for _ in 0..<100 {
            bench.wait(.seconds(1))
            _ = bench.console.sessions.begin(for: entry, endingThatOf: nil)
        }
        #expect(bench.console.sessions.count == Sessions.perOperator)
        #expect(bench.console.sessions.session(first) == nil)
    }

    @Test(
        "a login leads to the console and nowhere else",
        arguments: [
            "https://evil.example", "//evil.example", "/console/../evil", "/other", "/console//evil.example",
            "/console/\\evil", "javascript:alert(1)", "/console/x\r\nSet-Cookie: a=b",
        ])
    func aLoginLeadsNowhereElse(path: String) async throws {
        let bench = try ConsoleBench()
        let answer = try await bench.send(
            .post, "/console/login", form: [("key", try #require(bench.keys[.viewer]).exposed), ("then", path)])
        let location = try #require(answer.headers[.location])
        #expect(location == "/console" || location == "/console/../evil")
        let kept = try await bench.send(
            .post, "/console/login",
            form: [
                ("key", try #require(bench.keys[.viewer]).exposed), ("then", "/console/payment?reference=ORDER-1"),
            ])
        #expect(kept.headers[.location] == "/console/payment?reference=ORDER-1")
    }

    @Test func aLinkFromAnotherSiteIsFollowedWithTheSession() async throws {
        let bench = try ConsoleBench()
        let fetch: HTTPFields = [.secFetchSite: "cross-site"]
        let answer = try await bench.send(.get, "/console/payment?reference=%22%3E", headers: fetch)
        #expect(answer.status == 200)
        #expect(answer.text.contains(#"content="0;url=/console/payment?reference=%22%3E""#))
        #expect(answer.headers[.setCookie] == nil)
    }

    @Test func withoutOperatorsTheConsoleSaysHowToAddOne() async throws {
        let bench = try ConsoleBench(hasOperators: false)
        let answer = try await bench.send(.get, "/console/login")
        #expect(answer.text.contains("payrelay operators add sara --role support"))
        #expect(!answer.text.contains("<form"))
    }
}
