import Foundation
import OutboundHTTP
import PayrelayPrimitives
import TestPrograms
import Testing

/// Texts in which a separator and a mark beside it are one character to Swift, and two to every other program.
@Suite struct ProtocolTextTests {
    /// A proxy appends the address that it saw to the client's own value.
    @Test(
        "a mark at the end of X-Forwarded-For does not hide the address that the proxy appends",
        arguments: [
            "\u{600}", "\u{301}", "\u{600}\u{301}", "1.1.1.1\u{600}", "1.1.1.1,\u{301}", "\u{110BD}", "\"\u{600}",
        ])
    func forwardedFor(written: String) async throws {
        let relay = try await RunningRelay(["PAYRELAY_HTTP_TRUSTED_PROXIES": "127.0.0.0/8"])
        for header in [
            ("X-Forwarded-For", "\(written), 203.0.113.9"), ("Forwarded", "for=\(written), for=203.0.113.9"),
            ("Forwarded", "for=203.0.113.9;\u{301}by=x"),
        ] {
            let order = try Orders.body().with(["customer_ip": nil])
            let answer = try await relay.post("/v1/payments", order.encoded(), headers: [header])
            #expect(answer.outcome == "captured")
            #expect(answer.json?["processor_response"]?["customer_ip"] == "203.0.113.9", "\(header)")
        }
    }

    @Test(
        "a quote with a mark behind it does not end a cell of CSV, for a client, in the console and on the command line"
    )
    func csv() async throws {
        let message = "x\"\u{301},=1+1,\"\u{301}"
        let fort = try AnsweringFort { _ in
            [
                "response_code": "14000", "status": "14", "response_message": .string(message),
                "fort_id": "149295435400084008",
            ]
        }
        let relay = try await RunningRelay([
            "PAYRELAY_FORT_ENDPOINT": fort.endpoint, "PAYRELAY_FORT_RESPONSE_PHRASE": AnsweringFort.phrase,
        ])
        let answer = try await relay.pay(try Orders.body().json)
        #expect(answer.outcome == "captured", "\(answer.json ?? .null)")
        let list = try await relay.get("/v1/payments", headers: [("Accept", "text/csv")])
        let export = try await RunningProgram.run(["payments", "export"], environment: relay.environment)
        for text in [String(decoding: list.body, as: UTF8.self), export.text] {
            let bytes = Array(text.utf8)
            let cell = Array("\"x\"\"\u{301},=1+1,\"\"\u{301}\"".utf8)
            #expect(bytes.firstRange(of: cell) != nil, "\(text)")
            #expect(bytes.firstRange(of: Array("\"x\"\u{301}".utf8)) == nil)
        }
    }

    @Test(
        "another spelling of a protocol's word is another word, and a mark behind a separator belongs to the following text"
    )
    func words() async throws {
        let issuer = TokenIssuer()
        let folder = try TemporaryFolder()
        let relay = try await RunningRelay(["PAYRELAY_JWT_KEYS_FILE": issuer.file(in: folder)])
        let token = try issuer.token(["scope": "payments:create"])
        let body = try Orders.body().json.encoded()
        func status(_ type: String, _ fields: (name: String, value: String)...) async throws -> Int {
            try await relay.post(
                "/v1/payments", body, contentType: type, headers: bearer(token) + fields.map { ($0.name, $0.value) }
            ).status
        }
        #expect(try await status("application/json;\u{301}charset=utf-8") == 200)
        #expect(try await status("application/json", ("Content-Encoding", "identity,\u{301}gzip")) == 415)
        #expect(try await status("application/json", ("Content-Encoding", "identity\u{301}")) == 415)
        // A name with any number of marks is one character to Swift. No answer repeats all of it.
        let long = "a" + String(repeating: "%CC%81", count: 2_000)
        for path in ["/v1/payments?\(long)=1", "/v1/payments?\(long)=%FF", "/v1/settlement?\(long)=1"] {
            let scopes = "payments:read settlement:read"
            let answer = try await relay.get(path, headers: bearer(issuer.token(["scope": .string(scopes)])))
            #expect(answer.status == 400 && answer.body.count < 1_000, "\(path.prefix(16))")
        }
        // Claims are compared as bytes: an audience with a Kelvin sign is another audience.
        let kelvin = try await RunningRelay([
            "PAYRELAY_JWT_KEYS_FILE": issuer.file(in: folder), "PAYRELAY_JWT_AUDIENCE": "SHOP-K",
            "PAYRELAY_JWT_ISSUER": "K",
        ])
        func status(audience: String, issuer name: String) async throws -> Int {
            let token = try issuer.token(["aud": .string(audience), "iss": .string(name), "scope": "payments:create"])
            return try await kelvin.post("/v1/payments", body, headers: bearer(token)).status
        }
        #expect(try await status(audience: "SHOP-\u{212A}", issuer: "K") == 401)
        #expect(try await status(audience: "SHOP-K", issuer: "\u{212A}") == 401)
        #expect(try await status(audience: "SHOP-K", issuer: "K") != 401)
    }
}
