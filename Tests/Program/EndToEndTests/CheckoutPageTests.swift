import FortAPI
import Foundation
import OutboundHTTP
import PayrelayPrimitives
import TestPrograms
import Testing
import TokenMint

/// The pages and routes that `payrelay-dev` serves beside the relay's routes.
@Suite struct CheckoutPageTests {
    /// The routes that exist only for development.
    private static let routes: [(method: OutboundRequest.Method, path: String)] = [
        (.get, "/"), (.get, "/_dev/checkout.js"), (.get, "/_dev/validation-url"), (.get, "/_dev/exchanges/ORDER-1"),
        (.post, "/_dev/tokens"), (.post, "/_dev/order-tokens"),
    ]

    private func order(_ reference: String, amount: Int = 10_000, token: JSON) -> JSON {
        [
            "command": "PURCHASE", "merchant_reference": .string(reference), "amount": JSON(amount), "currency": "AED",
            "language": "en", "customer_email": "sara@example.com", "token": token,
        ]
    }

    @Test("payrelay serve has no checkout page, mints no token and shows no exchange")
    func serveHasNothingOfDevelopment() async throws {
        let relay = try await RunningRelay()
        for (method, path) in Self.routes {
            let answer =
                method == .get ? try await relay.get(path) : try await relay.post(path, Array("{}".utf8))
            #expect(answer.status == 404 && answer.problem == "not-found", "\(path)")
        }
    }

    @Test("the checkout page may load and run its own files only, and no other page may frame it")
    func thePageHasAStrictPolicy() async throws {
        let development = try await RunningDevelopment()
        let page = try await development.get("/")
        #expect(page.status == 200)
        #expect(page.header("Content-Type") == "text/html; charset=utf-8")
        let policy = try #require(page.header("Content-Security-Policy"))
        #expect(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"))
        #expect(!policy.contains("unsafe"))
        // Each file that the page names exists, and the page has no inline script or style.
        let html = String(decoding: page.body, as: UTF8.self)
        let files = html.matches(of: /(?:src|href)="([^"]+)"/).map { String($0.output.1) }
        #expect(files.count >= 4)
        for file in files { #expect(try await development.get(file).status == 200, "\(file)") }
        #expect(!html.contains("<style") && !html.contains("style=") && !html.contains(" onclick"))
        #expect(html.matches(of: /<script(?![^>]* src=)/).isEmpty)
    }

    @Test("a web page of another origin cannot mint, issue or read, and neither can a rebound name")
    func foreignPagesAreRefused() async throws {
        let development = try await RunningDevelopment()
        let foreign = [(name: "Origin", value: "https://evil.example")]
        for (_, path) in Self.routes.filter({ $0.method == .post }) {
            let answer = try await development.post(path, [:], headers: foreign)
            #expect(answer.status == 403 && answer.problem == "cross-site", "\(path)")
            let marked = try await development.post(
                path, [:], headers: [(name: "Sec-Fetch-Site", value: "same-site")])
            #expect(marked.status == 403, "\(path)")
        }
        let rebound = [(name: "Host", value: "evil.example")]
        for (method, path) in Self.routes {
            let answer =
                method == .get
                ? try await development.get(path, headers: rebound)
                : try await development.post(path, [:], headers: rebound)
            #expect(answer.status == 421, "\(path)")
        }
    }

    @Test("the page shows a payment as the sandbox got and signed it")
    func theExchangeIsWhatTheSandboxGot() async throws {
        let development = try await RunningDevelopment()
        let minted = try await development.post("/_dev/tokens", ["amount": "100.12", "currency": "AED"])
        #expect(minted.status == 200)
        let body = order("ORDER-1", amount: 10_012, token: try #require(minted.json))
        let paid = try await development.post("/v1/payments", body)
        #expect(paid.outcome == "declined")

        let shown = try #require(try await development.get("/_dev/exchanges/ORDER-1").json?["exchanges"]?.arrayValue)
        #expect(shown.map { $0["with"] } == ["fort", "client"])
        #expect(shown[1]["request"]?.stringValue.map { Array($0.utf8) } == body.encoded())
        #expect(shown[1]["response"]?.stringValue.map { Array($0.utf8) } == paid.body)
        #expect(shown[1]["status"] == 200)
        let sent = try #require(try JSON(parsing: shown[0]["request"]?.stringValue ?? "").objectValue)
        let signed = FortSignature(of: sent, phrase: Secret("sandbox-request-phrase"), type: .hmacSHA256)
        #expect(signed.matches(sent["signature"]?.stringValue ?? ""))
        let text = CanonicalText(of: sent).exposed(within: Secret("sandbox-request-phrase"))
        #expect(shown[0]["signed_text"] == .string(text))
        let answered = try JSON(parsing: shown[0]["response"]?.stringValue ?? "")
        #expect(answered["response_code"] == "13012")
        #expect(try await development.orders().first?["fort_id"] == answered["fort_id"])
        #expect(try await development.get("/_dev/exchanges/ORDER-2").json?["exchanges"] == [])
    }

    @Test("a token that the sandbox cannot open is a real card's, and is not shown")
    func realTokensAreNotShown() async throws {
        let development = try await RunningDevelopment()
        // Tokens of another authority, or for another merchant, as a real card's token would be.
        let contents = TokenContents(amount: 10_000, currency: "AED")
        let token = try TokenMint(pki: SandboxPKI.generate()).mint(contents, signedAt: Date())
        #expect(try await development.post("/v1/payments", order("ORDER-1", token: token)).problem == "token-refused")
        let shown = String(decoding: try await development.get("/_dev/exchanges/ORDER-1").body, as: UTF8.self)
        #expect(shown.contains("left out"))
        let data = try #require(token["paymentData"]?["data"]?.stringValue)
        #expect(!shown.contains(data.prefix(40)))
    }

    @Test("a body that is not a payment request mints no token")
    func onlyPaymentRequestsMint() async throws {
        let development = try await RunningDevelopment()
        for body in [
            #"{}"#, #"[]"#, #"{"amount": 1, "currency": "AED"}"#, #"{"amount": "1.001", "currency": "AED"}"#,
            #"{"amount": "1", "currency": "XXX"}"#, #"{"amount": "1", "currency": "AED", "network": "Diners"}"#,
            #"{"amount": "1", "currency": "AED", "signed_seconds_ago": -1}"#,
            #"{"amount": "1", "currency": "AED", "unknown": 1}"#,
        ] {
            let answer = try await development.post("/_dev/tokens", try JSON(parsing: body))
            #expect(answer.status == 400, "\(body)")
        }
    }

    @Test("if one of its listeners cannot listen, dev ends with the reason")
    func aTakenPortEndsIt() async throws {
        let sandbox = try await RunningSandbox()
        let (status, text) = try await RunningProgram.run([
            "dev", "--port", "0", "--admin-port", "0", "--sandbox-port", "\(sandbox.port)",
        ])
        #expect(status != 0)
        #expect(text.contains("another program uses this port"))
    }
}
