import Foundation
import OutboundHTTP
import PayrelayPrimitives
import TestPrograms
import Testing

/// `payrelay-dev --host`: a phone on the same network pays over TLS, and only with a key or an order token.
@Suite struct DevelopmentNetworkTests {
    private let folder: TemporaryFolder
    private let key = "payrelay_" + String(repeating: "A", count: 43)

    init() throws {
        folder = try TemporaryFolder()
    }

    private var certificates: String { folder.url.appending(path: "certificates").path }

    /// Returns the arguments. The default host is `localhost`, which every machine has.
    private func arguments(host: String = "localhost") throws -> [String] {
        ["--host", host, "--certificates", certificates, "--api-key-file", try folder.file("key", key + "\n")]
    }

    private func start() async throws -> RunningDevelopment {
        // The file exists once the program listens, and libcurl reads it with the first request.
        try await RunningDevelopment(try arguments(), caFile: certificates + "/ca.pem")
    }

    private var bearer: [(name: String, value: String)] { [(name: "Authorization", value: "Bearer \(key)")] }

    private func order(_ reference: String, amount: Int = 10_000) -> JSON {
        [
            "command": "PURCHASE", "merchant_reference": .string(reference), "amount": JSON(amount),
            "currency": "AED", "language": "en", "customer_email": "sara@example.com",
            "token": ["paymentData": "", "transactionIdentifier": "Simulated Identifier"],
        ]
    }

    private func permissions(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test("without a key every API route of a development relay on the network is 401")
    func everyRouteNeedsAKey() async throws {
        let development = try await start()
        for path in [
            "/v1/payments", "/v1/payments/A/sync", "/v1/payments/A/capture", "/v1/payments/A/void",
            "/v1/payments/A/refund", "/v1/apple-pay/sessions", "/v1/tokens/verify", "/v1/sdk-tokens",
        ] {
            #expect(try await development.post(path, [:]).status == 401, "\(path)")
            let wrong = [(name: "Authorization", value: "Bearer payrelay_" + String(repeating: "B", count: 43))]
            #expect(try await development.post(path, [:], headers: wrong).status == 401, "\(path)")
        }
        for path in ["/v1/payments/A", "/_dev/exchanges/A"] {
            #expect(try await development.get(path).status == 401, "\(path)")
        }
        #expect(try await development.post("/v1/payments", order("ORDER-1"), headers: bearer).outcome == "captured")
        #expect(!development.program.text.contains(key))
    }

    @Test("a client that trusts the authority reaches the relay, another does not, and neither does one without TLS")
    func theChainIsVerified() async throws {
        let development = try await start()
        #expect(try await development.get("/").status == 200)
        let stranger = OutboundClient()
        defer { stranger.shutdown() }
        await #expect(throws: NoAnswer.self) {
            try await stranger.send(
                OutboundRequest(
                    method: .get, url: development.address + "/", connectTimeout: .seconds(90), timeout: .seconds(300))
            ).get()
        }
        let plain = development.address.replacing("https://localhost", with: "http://127.0.0.1")
        await #expect(throws: NoAnswer.self) {
            try await stranger.send(
                OutboundRequest(method: .get, url: plain + "/", connectTimeout: .seconds(90), timeout: .seconds(300))
            ).get()
        }
        // This is the form in which a phone gets the file.
        let downloaded = try await development.get("/_dev/ca.cer")
        #expect(downloaded.header("Content-Type") == "application/x-x509-ca-cert")
        let file = folder.url.appending(path: "ca.cer")
        try Data(downloaded.body).write(to: file)
        let verdict = try shell(
            "openssl x509 -inform DER -in \(file.path) -out \(file.path).pem && openssl verify -x509_strict "
                + "-purpose sslserver -verify_hostname localhost -CAfile \(file.path).pem \(certificates)/listener.pem")
        #expect(verdict.contains("OK"))
        #expect(try await development.get("/trust").header("Content-Security-Policy")?.contains("'none'") == true)
        let shown = try await development.get("/_dev/ca.json").json
        try await development.program.wait(toPrint: try #require(shown?["sha256"]?.stringValue))
    }

    @Test("with an order token of the page a phone pays only its order, and learns that it was simulated")
    func anOrderTokenPaysItsOrder() async throws {
        let development = try await start()
        let issued = try await development.post(
            "/_dev/order-tokens",
            ["command": "PURCHASE", "merchant_reference": "ORDER-1", "amount": 10_000, "currency": "AED"])
        let token = [(name: "Authorization", value: "Bearer \(issued.json?["order_token"]?.stringValue ?? "")")]
        #expect(try await development.post("/v1/payments", order("ORDER-1", amount: 1), headers: token).status == 403)
        #expect(try await development.post("/v1/payments", order("ORDER-2"), headers: token).status == 403)
        let paid = try await development.post("/v1/payments", order("ORDER-1"), headers: token)
        #expect(paid.outcome == "captured")
        #expect(paid.json?["simulated"] == true && paid.json?["processor_response"] == nil)
        let again = try await development.post("/v1/payments", order("ORDER-1"), headers: token)
        #expect(again.body == paid.body && again.header("Idempotent-Replayed") == "true")

        // The exchanges about another client's order are not shown.
        #expect(try await development.post("/v1/payments", order("ORDER-2"), headers: bearer).outcome == "captured")
        let own = try await development.get("/_dev/exchanges/ORDER-1", headers: token).json
        #expect(own?["exchanges"]?.arrayValue?.isEmpty == false)
        #expect(try await development.get("/_dev/exchanges/ORDER-2", headers: token).json?["exchanges"] == [])
        #expect(try await development.get("/_dev/exchanges/ORDER-1", headers: bearer).json?["exchanges"] == [])
    }

    @Test("S7: only the browser that began an order gets order tokens for it")
    func anOrderIsItsBrowsers() async throws {
        let development = try await start()
        let order: JSON = [
            "command": "PURCHASE", "merchant_reference": "ORDER-1", "amount": 10_000, "currency": "AED",
        ]
        let first = try await development.post("/_dev/order-tokens", order)
        let cookie = try #require(first.header("Set-Cookie"))
        for attribute in ["__Host-", "; Path=/", "; HttpOnly", "; SameSite=Strict", "; Secure"] {
            #expect(cookie.contains(attribute), "\(cookie)")
        }
        let own = [(name: "Cookie", value: String(cookie.prefix { $0 != ";" }))]
        let second = try await development.post("/_dev/order-tokens", order, headers: own)
        #expect(second.status == 200 && second.header("Set-Cookie") == nil)

        let other = try await development.post(
            "/_dev/order-tokens", order.changing(["merchant_reference"]) { $0 + "2" })
        let others = try #require(other.header("Set-Cookie")).prefix { $0 != ";" }
        for headers in [[], [(name: "Cookie", value: String(others))], own + own] {
            let refused = try await development.post("/_dev/order-tokens", order, headers: headers)
            #expect(refused.status == 400 && refused.faultyFields == ["merchant_reference"], "\(refused)")
        }
    }

    @Test("with keys too, a development relay answers under its own name only")
    func reboundNamesAreRefused() async throws {
        let development = try await start()
        let headers = bearer + [(name: "Host", value: "evil.example")]
        for path in ["/", "/trust", "/_dev/ca.cer", "/v1/payments/A"] {
            #expect(try await development.get(path, headers: headers).status == 421, "\(path)")
        }
        #expect(try await development.post("/_dev/order-tokens", [:], headers: headers).status == 421)
    }

    @Test("the authority is made once, each start has a new certificate, and only their owner reads the keys")
    func theAuthorityIsKept() async throws {
        func file(_ name: String) throws -> Data { try Data(contentsOf: URL(filePath: "\(certificates)/\(name)")) }
        let first = try await start()
        let (authority, listener) = (try file("ca.pem"), try file("listener.pem"))
        #expect(try permissions(certificates) == 0o700)
        for name in ["ca.key", "listener.key"] { #expect(try permissions("\(certificates)/\(name)") == 0o600) }
        first.program.signal(SIGTERM)
        try await first.program.end()
        let second = try await start()
        #expect(try file("ca.pem") == authority)
        #expect(try file("listener.pem") != listener)
        #expect(try await second.get("/").status == 200)
    }

    @Test("the authority is in the user's folder if no other folder is named")
    func theStandardFolderIsTheUsers() async throws {
        let program = try RunningProgram(
            ["dev", "--host", "localhost", "--port", "0", "--admin-port", "0", "--sandbox-port", "0"],
            environment: ["HOME": folder.url.path])
        try await program.wait(for: "its curl line") { program.text.contains("curl ") }
        #expect(try permissions(folder.url.appending(path: ".payrelay-dev/ca.key").path) == 0o600)
    }

    @Test("files that cannot be used end it with the reason, and are left as they are")
    func badFilesAreRefused() async throws {
        func refusal(_ arguments: [String]) async throws -> (status: Int32, text: String) {
            try await RunningProgram.run(
                ["dev", "--port", "0", "--admin-port", "0", "--sandbox-port", "0"] + arguments)
        }
        let development = try await start()
        development.program.signal(SIGTERM)
        try await development.program.end()
        let (authority, key) = (certificates + "/ca.pem", certificates + "/ca.key")
        let written = try Data(contentsOf: URL(filePath: authority))

        let elsewhere = try await refusal(try arguments(host: "shop.example"))
        #expect(elsewhere.status == 65 && elsewhere.text.contains("--certificates"))
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: key)
        let open = try await refusal(try arguments())
        #expect(open.status == 65 && open.text.contains("open to more than its owner"))
        try FileManager.default.removeItem(atPath: key)
        #expect(try await refusal(try arguments()).status == 65)
        #expect(try Data(contentsOf: URL(filePath: authority)) == written)
        let badKey = ["--host", "localhost", "--api-key-file", try folder.file("bad", "secret")]
        #expect(try await refusal(badKey).status == 65)
    }

    @Test(
        "no listener at every address, and no key for loopback",
        arguments: [
            ["--host", "0.0.0.0"], ["--host", "::"], ["--host", "a b"], ["--host", ""], ["--api-key-file", "x"],
        ])
    func wrongUsage(arguments: [String]) async throws {
        let (status, text) = try await RunningProgram.run(
            ["dev", "--port", "0", "--certificates", certificates] + arguments)
        #expect(status == 64, "\(text)")
        #expect(!FileManager.default.fileExists(atPath: certificates))
    }
}
