import AccessControl
import Foundation
import HTTPTypes
import PayrelayPrimitives
import Synchronization
import Testing

@testable import Console

/// An authenticating proxy signs operators in: it sends a JWT with each request.
@Suite struct SignedInByProxyTests {
    private static let header = "X-Forwarded-Access-Token"
    private let key: JWTSigningKey
    private let bench: ConsoleBench

    init() throws {
        let pair = try JWTKeyPair(.es256, named: "login", client: "console")
        key = try JWTSigningKey.key(parsing: String(decoding: pair.signing.encoded(), as: UTF8.self), named: nil)
        bench = try ConsoleBench(
            hasOperators: false,
            tokens: OperatorTokens(
                header: Self.header,
                verifier: JWTVerifier(
                    policy: JWTPolicy(audience: "console", issuer: "login"), keys: [key.verificationKey]),
                nameClaim: "sub", roleClaim: "groups", roles: ["desk": .support, "money": .finance, "all": .viewer],
                signOutURL: "https://console.example.com/oauth2/sign_out"))
    }

    private func headers(
        of name: String, _ group: String, cookie: String? = nil, lasting seconds: Double = 300
    ) throws -> HTTPFields {
        let token = try key.token([
            "iss": "login", "aud": "console", "sub": .string(name), "groups": [.string(group)],
            "exp": JSON(Int(Date().timeIntervalSince1970 + seconds)),
        ])
        var headers = HTTPFields()
        headers[try #require(HTTPField.Name(Self.header))] = token
        headers[.cookie] = cookie
        return headers
    }

    @Test("Whom the proxy has signed in sees the page at once, and the next ones by the same session")
    func thePageIsShownAtOnce() async throws {
        let answer = try await bench.send(.get, "/console", headers: headers(of: "sara", "desk"))
        #expect(answer.status == 200 && answer.text.contains("<bdi>sara</bdi>"))
        let cookie = try #require(answer.cookie)
        let next = try await bench.send(.get, "/console", headers: headers(of: "sara", "desk", cookie: cookie))
        #expect(next.status == 200 && next.headers[.setCookie] == nil)
        let login = try await bench.send(.get, "/console/login", headers: headers(of: "sara", "desk"))
        #expect(login.status == 303 && login.headers[.location] == "/console")
    }

    @Test("The cookie alone opens nothing, nor does it with another operator's token")
    func theCookieIsNothingWithoutTheToken() async throws {
        let cookie = try #require(try await bench.send(.get, "/console", headers: headers(of: "sara", "desk")).cookie)
        var alone = HTTPFields()
        alone[.cookie] = cookie
        #expect(try await bench.send(.get, "/console", headers: alone).status == 303)
        let other = try await bench.send(.get, "/console", headers: headers(of: "omar", "desk", cookie: cookie))
        #expect(other.text.contains("<bdi>omar</bdi>"))
        #expect(other.cookie != nil && other.cookie != cookie)
    }

    @Test("The role is that of the present token, not of the first")
    func theRoleIsOfThePresentToken() async throws {
        await bench.add("ORDER-1")
        let first = try await bench.send(
            .get, "/console/payment?reference=ORDER-1", headers: headers(of: "sara", "money"))
        let cookie = try #require(first.cookie)
        let token = try #require(first.hidden("form_token"))
        let sent = try await bench.send(
            .post, "/console/payment/refund?reference=ORDER-1", form: [("form_token", token), ("amount", "1.00")],
            headers: headers(of: "sara", "all", cookie: cookie))
        #expect(sent.status == 403)
        #expect(bench.fort.performed.withLock { $0.isEmpty })
    }

    @Test("A form needs the session's token: a request that another site makes the browser send does nothing")
    func aFormNeedsASession() async throws {
        await bench.add("ORDER-1")
        let path = "/console/payment/refund?reference=ORDER-1"
        let forged = try await bench.send(
            .post, path, form: [("amount", "1.00"), ("form_token", "x")], headers: headers(of: "sara", "money"))
        #expect(forged.status == 303 && forged.headers[.setCookie] == nil)
        #expect(bench.console.sessions.count == 0)
    }

    @Test("Without a token, or with a bad one, the login page names the header")
    func withoutATokenNobodyIsSignedIn() async throws {
        #expect(try await bench.send(.get, "/console").status == 303)
        let page = try await bench.send(.get, "/console/login").text
        #expect(page.contains(Self.header) && !page.contains("payrelay operators add"))
        var bad = HTTPFields()
        bad[try #require(HTTPField.Name(Self.header))] = "Bearer forged"
        for _ in 0..<30 { #expect(try await bench.send(.get, "/console", headers: bad).status == 303) }
        #expect(try await bench.send(.get, "/console", headers: headers(of: "sara", "other")).status == 303)
        // Refused tokens do not lock other operators out.
        #expect(try await bench.send(.get, "/console", headers: headers(of: "sara", "desk")).status == 200)
    }

    @Test("Refused tokens do not keep out who logs in with a key from the same address")
    func badTokensDoNotUseUpLogins() async throws {
        var bad = HTTPFields()
        bad[try #require(HTTPField.Name(Self.header))] = "Bearer forged"
        for _ in 0..<30 { _ = try await bench.send(.get, "/console", headers: bad) }
        #expect(try await bench.send(.post, "/console/login", form: [("key", "wrong")]).status == 401)
    }

    @Test("A browser that keeps no cookie holds no more sessions than others")
    func sessionsAreBounded() async throws {
        for _ in 0..<(3 * Sessions.perOperator) {
            #expect(try await bench.send(.get, "/console", headers: headers(of: "sara", "desk")).status == 200)
        }
        #expect(bench.console.sessions.count == Sessions.perOperator)
    }

    @Test("Log out leads to the address at which the proxy's session ends")
    func logOutLeadsToTheProxy() async throws {
        let first = try await bench.send(.get, "/console", headers: headers(of: "sara", "desk"))
        let answer = try await bench.send(
            .post, "/console/logout", form: [("form_token", try #require(first.hidden("form_token")))],
            headers: headers(of: "sara", "desk", cookie: first.cookie))
        #expect(answer.headers[.location] == "https://console.example.com/oauth2/sign_out")
        #expect(bench.console.sessions.count == 0)
    }

    @Test("The live page's events end with the token")
    func eventsEndWithTheToken() async throws {
        let cookie = try #require(
            try await bench.send(.get, "/console", headers: headers(of: "sara", "desk", lasting: 120)).cookie)
        let value = String(cookie.drop { $0 != "=" }.dropFirst())
        #expect(bench.console.sessions.isOpen(value))
        bench.wait(.seconds(121))
        #expect(!bench.console.sessions.isOpen(value))
    }
}
