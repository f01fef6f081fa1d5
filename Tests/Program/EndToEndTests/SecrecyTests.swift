import Foundation
import OutboundHTTP
import PayrelayPrimitives
import TestPrograms
import Testing

/// Logs, errors and metrics hold no token, secret or customer data, at any log level.
@Suite struct SecrecyTests {
    /// Returns a relay at log level trace that has had requests with every outcome.
    private func relayThatHasSeenEverything() async throws -> (relay: RunningRelay, canaries: [String]) {
        let (folder, added) = (try TemporaryFolder(), try await AddedOperator("sara", role: "finance"))
        let relay = try await RunningRelay([
            "PAYRELAY_LOG_LEVEL": "trace", "PAYRELAY_FORT_TIMEOUT_SECONDS": "15",
            "PAYRELAY_OPERATORS_FILE": try folder.file("operators", added.line),
        ])
        // The sandbox decrypts the tokens, and their content stays in the sandbox.
        var canaries = ["canary@example.com", "CanaryName", "CANARY", "4111111111111111"]
        canaries += ["PAYRELAY_FORT_REQUEST_PHRASE", "PAYRELAY_FORT_RESPONSE_PHRASE"].compactMap {
            relay.sandbox.settings[$0]
        }
        for (amount, status) in [(10_000, 200), (10_012, 200), (10_408, 202), (15_777, 202)] {
            let order = try personal(amount: amount, &canaries)
            #expect(try await relay.pay(order.json, idempotencyKey: "CANARY-\(amount)").status == status)
        }
        let order = try personal(amount: 10_000, &canaries)
        let bad: [(JSON, Int)] = [
            (order.with(["currency": "CANARY"]), 400),
            (order.with(["CANARY": "CANARY", "amount": "CANARY"]), 400),
            (order.json.changing(["token", "paymentData", "signature"]) { "!CANARY" + $0 }, 400),
            (order.json.changing(["token", "paymentData", "data"]) { "AAAA" + $0.dropFirst(4) }, 422),
        ]
        for (body, status) in bad {
            let answer = try await relay.pay(body)
            #expect(answer.status == status, "\(String(decoding: answer.body, as: UTF8.self))")
        }
        let text = order.json.encoded()
        #expect(try await relay.post("/v1/payments", text.dropLast(1) + Array("CANARY".utf8)).status == 400)
        #expect(try await relay.post("/v1/payments", text, contentType: "text/CANARY").status == 415)
        #expect(try await relay.get("/v1/CANARY?CANARY=CANARY").status == 404)
        #expect(try await relay.get("/v1/payments/CANARY?CANARY").status == 404)
        try await manage(relay)
        for path in ["/metrics", "/ready", "/live"] {
            let body = String(decoding: try await relay.admin(path).body, as: UTF8.self)
            for canary in canaries { #expect(!body.contains(canary), "\(path) holds \(canary)") }
        }
        try await openTheConsole(of: relay, as: added, canaries)
        canaries.append(added.key)
        relay.program.signal(SIGTERM)
        #expect(try await relay.program.end() == 0)
        return (relay, canaries)
    }

    /// Opens every page of the console. S1: no page contains a token or a secret. Customer data is only on the payment's and
    /// the customer's pages, and the email address also in lists.
    private func openTheConsole(
        of relay: RunningRelay, as added: AddedOperator, _ canaries: [String]
    ) async throws {
        let browser = try await LoggedInOperator(added, at: relay)
        var pages = try await browser.everyPage()
        for path in [
            "payments", "payments.csv", "payment/refund", "settlement", "codes", "tokens", "signatures", "health",
        ] {
            #expect(pages.keys.contains { $0.hasPrefix("/console/\(path)") }, "\(path) is not reached")
        }
        let token = try #require(try Orders.body()["token"])
        let signed: [(name: String, value: String)] = [
            ("account", "default"), ("message", #"{"command": "PURCHASE", "amount": "1"}"#), ("signature", "0"),
        ]
        for (path, form) in [
            ("/console/tokens", [("token", String(decoding: token.encoded(), as: UTF8.self))]),
            ("/console/signatures", signed),
        ] {
            pages["POST \(path)"] = String(decoding: try await browser.submit(path, form).body, as: UTF8.self)
        }
        let parts = ["data", "signature"].compactMap { token["paymentData"]?[$0]?.stringValue?.prefix(32) }
        #expect(parts.count == 2)
        let secrets = canaries.filter { !$0.lowercased().hasPrefix("canary") } + parts.map(String.init) + [added.key]
        let personal = canaries.filter { $0.lowercased().hasPrefix("canary") }
        for (path, page) in pages {
            for secret in secrets { #expect(!page.contains(secret), "\(path) holds \(secret)") }
            // A page repeats its own search text.
            guard
                !["payment?", "payment/", "customer?", "customer/"].contains(where: { path.hasPrefix("/console/\($0)") }
                ),
                !path.contains("q=canary")
            else { continue }
            for text in personal where text != "canary@example.com" || !path.hasPrefix("/console/payments") {
                #expect(!page.contains(text), "\(path) holds \(text)")
            }
        }
    }

    /// Sends all requests other than payments.
    private func manage(_ relay: RunningRelay) async throws {
        let reference = Orders.reference()
        let headers = [("X-Request-Id", "\u{7B}CANARY"), ("traceparent", "CANARY"), ("Authorization", "Bearer CANARY")]
        let order = try Orders.body(reference).with([
            "command": "AUTHORIZATION", "customer_email": "canary@example.com",
        ])
        #expect(try await relay.post("/v1/payments", order.encoded(), headers: headers).status == 200)
        let capture = Array(#"{"amount": 5000, "order_description": "CANARY"}"#.utf8)
        let path = "/v1/payments/\(reference)"
        #expect(try await relay.post("\(path)/capture", capture, headers: headers).status == 200)
        #expect(try await relay.post("\(path)/refund", Array(#"{"CANARY": "CANARY"}"#.utf8)).status == 400)
        #expect(try await relay.post("\(path)/refund", Array(#"{"amount": 1}"#.utf8)).status == 200)
        #expect(try await relay.post("\(path)/void", Array("{}".utf8)).status == 409)
        #expect(try await relay.post("\(path)/sync", []).status == 200)
        let token = try #require(order["token"])
        #expect(try await relay.post("/v1/tokens/verify", token.encoded()).status == 200)
        let device = Array(#"{"device_id": "CANARY"}"#.utf8)
        #expect(try await relay.post("/v1/sdk-tokens", device).status == 200)
        let feedback = Array(#"{"merchant_reference": "CANARY", "signature": "CANARY"}"#.utf8)
        #expect(try await relay.post("/v1/feedback/direct", feedback).status == 401)
    }

    /// Returns an order with customer data. Its token is added to the canaries.
    private func personal(amount: Int, _ canaries: inout [String]) throws -> JSONObject {
        let order = try Orders.body(amount: amount).with([
            "customer_email": "canary@example.com", "customer_name": "CanaryName", "merchant_extra": "CANARY",
        ])
        for part in ["data", "signature"] {
            let text = try #require(order["token"]?["paymentData"]?[part]?.stringValue)
            canaries += [String(text.prefix(32)), String(text.suffix(32))]
        }
        return try #require(order.objectValue)
    }

    @Test("S1: logs, errors, metrics and the journal hold no token, phrase or customer data")
    func logsErrorsAndMetricsHoldNoTokenPhraseOrCustomerData() async throws {
        let (relay, canaries) = try await relayThatHasSeenEverything()
        let output = relay.program.text
        #expect(output.contains("\"level\":\"trace\"") || output.contains("\"level\":\"debug\""))
        for canary in canaries { #expect(!output.contains(canary), "the output holds \(canary)") }

        let journal = try relay.journalBytes
        #expect(journal.range(of: Data("captured".utf8)) != nil)
        // FORT's echo of an order is stored. The token and the phrases are not.
        for secret in canaries where !secret.lowercased().hasPrefix("canary") {
            #expect(journal.range(of: Data(secret.utf8)) == nil, "the journal holds \(secret)")
            if let bytes = Data(base64Encoded: secret) { #expect(journal.range(of: bytes) == nil) }
        }
    }

    @Test("S1: logs, errors and metrics hold no API key, JWT or shared secret")
    func logsErrorsAndMetricsHoldNoCredential() async throws {
        let folder = try TemporaryFolder()
        let key = try await GeneratedKey("shop")
        let digest = try #require(key.line.split(separator: " ").last).lowercased()
        let secret = Data("CANARYCANARYCANARYCANARYCANARYCA".utf8)
        let jwk: JSON = ["kty": "oct", "kid": "k", "k": .string(secret.base64EncodedString().replacing("=", with: ""))]
        let keys = try folder.file("keys.json", String(decoding: JSON.object(["keys": [jwk]]).encoded(), as: UTF8.self))
        let relay = try await RunningRelay([
            "PAYRELAY_LOG_LEVEL": "trace", "PAYRELAY_API_KEYS": key.line, "PAYRELAY_JWT_KEYS_FILE": keys,
        ])
        let token = try TokenIssuer("k").token()
        for (credential, status) in [(key.key, 404), (token, 401), ("payrelay_\(digest)", 401), ("CANARY", 401)] {
            #expect(try await relay.get("/v1/payments/none", headers: bearer(credential)).status == status)
        }
        relay.program.signal(SIGTERM)
        #expect(try await relay.program.end() == 0)
        let output = relay.program.text
        #expect(output.contains("request refused"))
        let bytes = stride(from: 0, to: 12, by: 2).compactMap { UInt8(digest.dropFirst($0).prefix(2), radix: 16) }
        let decimal = [bytes, Array(secret.prefix(6))].map { $0.map(String.init).joined(separator: ", ") }
        for canary in [key.key, digest, token, "CANARY", secret.base64EncodedString()] + decimal {
            #expect(!output.contains(canary), "the output holds \(canary)")
        }
    }

    @Test("S9: no value of a request forges a log line")
    func noValueForgesALogLine() async throws {
        let relay = try await RunningRelay(["PAYRELAY_LOG_LEVEL": "trace"])
        let forged = "x\r\n{\"level\":\"critical\",\"message\":\"forged\"}\u{1B}[31m\u{0}\u{85}\u{2028}\u{202E}"
        let order = try Orders.body()
        for name in order.names where name != "token" {
            let answer = try await relay.pay(order.with(["\(name)": .string(forged)]))
            #expect(answer.status == 400 && answer.faultyFields == [name])
        }
        let named = try await relay.pay(order.with(["\(forged)": "x"]))
        #expect(named.status == 400 && named.faultyFields == [forged])
        for path in [["token", "transactionIdentifier"], ["token", "paymentMethod", "displayName"]] {
            #expect(try await relay.pay(order.json.changing(path) { _ in forged }).status == 400)
        }
        #expect(try await relay.get("/v1/payments/a%0D%0A%7B%22level%22%3A%22critical%22%7D%1B%00").status == 404)
        // Bytes beyond ASCII are allowed in a header field (RFC 9110, 5.5), including NEL and bidirectional controls.
        for name in ["X-Request-Id", "traceparent", "Idempotency-Key", "Authorization", "X-Forwarded-For", "Expect"] {
            for value in ["x\u{85}\u{2028}\u{202E}{\"level\":\"critical\"}", "x\u{1B}[31m", "x\u{8}", "x\r{}", "x\n{}"]
            {
                let raw = try RawConnection(port: relay.port)
                raw.send(
                    "GET /v1/payments/a HTTP/1.1\r\nHost: localhost\r\n\(name): \(value)\r\nConnection: close\r\n\r\n")
                let answer = raw.read()
                #expect(answer.hasPrefix("HTTP/1.1 4"), "\(name)")
                #expect(
                    answer.unicodeScalars.allSatisfy {
                        $0.isASCII && ($0.value >= 0x20 || "\r\n".unicodeScalars.contains($0))
                    })
            }
        }
        let raw = try RawConnection(port: relay.port)
        raw.send("GET /\u{1B}[31m HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        #expect(raw.read().hasPrefix("HTTP/1.1 40"))
        relay.program.signal(SIGTERM)
        #expect(try await relay.program.end() == 0)

        for line in relay.program.text.split(whereSeparator: \.isNewline) {
            let record = try? JSON(parsing: Array(line.utf8))
            #expect(record?["level"] != nil && record?["level"] != "critical", "\(line)")
            #expect(line.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
        }
        #expect(relay.program.lines.count > 10)
    }
}
