import AccessControl
import Foundation
import OutboundHTTP
import PayrelayPrimitives
import TestPrograms
import Testing

/// `payrelay config` reports about settings before a relay starts with them.
@Suite struct ConfigurationCommandTests {
    private static let account = [
        "PAYRELAY_FORT_ACCESS_CODE": "AAAA", "PAYRELAY_FORT_MERCHANT_IDENTIFIER": "MMMM",
        "PAYRELAY_FORT_REQUEST_PHRASE": "REQ", "PAYRELAY_FORT_RESPONSE_PHRASE": "RES",
    ]

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func config(
        _ arguments: [String], _ environment: [String: String] = [:]
    ) async throws -> (status: Int32, text: String) {
        try await RunningProgram.run(["config"] + arguments, environment: environment)
    }

    @Test("a check of usable settings starts nothing and makes no journal")
    func checkPasses() async throws {
        let journal = folder.path("journal.sqlite")
        let environment = Self.account.merging(["PAYRELAY_JOURNAL": "sqlite:\(journal)"]) { $1 }
        let (status, text) = try await config(["check"], environment)
        #expect(status == 0 && text == "the settings are in order\n")
        #expect(!FileManager.default.fileExists(atPath: journal))
        #expect(try await config(["check", "--json"], environment).text == "[]\n")
    }

    @Test("a check names ten errors at once, each with its place, problem and remedy")
    func checkFails() async throws {
        let path = try folder.file(
            "relay.yaml",
            """
            http:
              prot: 8080
              host: 0.0.0.0
              trusted_proxies: [10.0.0.0/8, nowhere]
            journal: "oracle:"
            events: {url: "http://shop.example/"}
            """)
        let environment = [
            "PAYRELAY_FORT_ACCESS_CODE": "A A", "PAYRELAY_FORT_MERCHANT_IDENTIFIER": "MMMM",
            "PAYRELAY_FORT_REQUEST_PHRASE": "REQ", "PAYRELAY_FORT_TIMEOUT_SECONDS": "canary",
            "PAYRELAY_API_KEYS_FILE": "/no/such/file", "PAYRELAY_TOKEN_VERIFICATION": "maybe",
            "PAYRELAY_FORT_TIMOUT_SECONDS": "3", "PAYRELAY_CONFIG": path,
        ]
        let (status, text) = try await config(["check", "--json"], environment)
        #expect(status == 1)
        let errors = try #require(try JSON(parsing: Array(text.utf8)).arrayValue)
        let settings = Set(errors.compactMap { $0["setting"]?.stringValue })
        for name in [
            "http.prot", "http.trusted_proxies", "PAYRELAY_FORT_ACCESS_CODE", "journal", "events.url",
            "PAYRELAY_FORT_RESPONSE_PHRASE",
            "PAYRELAY_FORT_TIMEOUT_SECONDS", "PAYRELAY_API_KEYS_FILE", "PAYRELAY_TOKEN_VERIFICATION",
            "PAYRELAY_FORT_TIMOUT_SECONDS", "PAYRELAY_EVENTS_SECRET",
        ] { #expect(settings.contains(name), "\(name) is not named in \(settings)") }
        for error in errors {
            #expect(error["problem"]?.stringValue?.isEmpty == false && error["advice"]?.stringValue?.isEmpty == false)
        }
        #expect(errors.first { $0["setting"] == "http.prot" }?["source"]?.stringValue == "\(path), line 2")
        let plain = try await config(["check"], environment)
        #expect(plain.status == 1 && plain.text.hasSuffix("\(errors.count) errors\n") && !plain.text.contains("canary"))
        // The relay says the same.
        let serve = try await RunningProgram.run(["serve"], environment: environment)
        #expect(serve.status == 78)
        for name in settings { #expect(serve.text.contains("  - \(name) ")) }
    }

    @Test func checkRefusesAFileThatCannotBeRead() async throws {
        let (status, text) = try await config(["check", "--config", folder.path("missing")], Self.account)
        #expect(status == 1 && text.contains("missing cannot be read: there is no such file"))
        #expect(try await config(["print", "--config", folder.path("missing")], Self.account).status == 78)
        #expect(try await config(["check", "--format", "xml"]).status == 64)
    }

    @Test("a relay takes its file from PAYRELAY_CONFIG")
    func containersNameTheFileInTheEnvironment() async throws {
        let path = try folder.file("relay.yaml", "log: {level: debug}\nretention_days: 40\n")
        let relay = try await RunningRelay(["PAYRELAY_CONFIG": path])
        let (status, text) = try await config(["print"], relay.environment)
        #expect(status == 0)
        #expect(
            text.split(separator: "\n").contains {
                $0.contains("retention_days") && $0.contains("40  [\(path), line 2]")
            })
    }

    @Test("S1: no secret is printed, in any format", arguments: ["text", "json"])
    func printMasksSecrets(format: String) async throws {
        let names = [
            "FORT_REQUEST_PHRASE", "FORT_RESPONSE_PHRASE", "API_KEYS", "OPERATORS", "EVENTS_SECRET", "JOURNAL",
        ]
        var environment = Dictionary(
            uniqueKeysWithValues: names.map { ("PAYRELAY_\($0)", "postgres://u:canary@db/\($0)") })
        let printed = try await config(["print"] + (format == "json" ? ["--json"] : []), environment)
        #expect(printed.status == 0 && printed.text.contains("***") && !printed.text.contains("canary"))
        #expect(!printed.text.contains("postgres"))
        let path = try folder.file("secret", "canary")
        environment = Dictionary(uniqueKeysWithValues: names.map { ("PAYRELAY_\($0)_FILE", path) })
        let fromFiles = try await config(["print"] + (format == "json" ? ["--json"] : []), environment)
        #expect(fromFiles.text.contains("***") && !fromFiles.text.contains("canary"))
    }

    @Test("the console shows the settings of the relay to its operators, and no secret")
    func theConsoleShowsThem() async throws {
        let key = OperatorKey()
        let operators = "\(try OperatorEntry(name: "sara", permission: .viewer, key: key))"
        let phrase = try folder.file("phrase", "canary-phrase")
        let config = try folder.file("relay.yaml", "retention_days: 41\nhttp:\n  hosts: [pay.example]\n")
        let relay = try await RunningRelay(
            config: config,
            [
                "PAYRELAY_OPERATORS": operators, "PAYRELAY_FORT_REQUEST_PHRASE": "",
                "PAYRELAY_FORT_REQUEST_PHRASE_FILE": phrase,
                "PAYRELAY_EVENTS_SECRET": "whsec_Q0FOQVJZLUNBTkFSWS1DQU5BUlktQ0FOQVJZ",
                "PAYRELAY_EVENTS_URL": "http://127.0.0.1:9/events",
            ])
        let client = OutboundClient(OutboundSettings())
        defer { client.shutdown() }
        let console = "http://127.0.0.1:\(relay.adminPort)/console"
        let login = try await client.send(
            OutboundRequest(
                url: "\(console)/login", headers: [("Content-Type", "application/x-www-form-urlencoded")],
                body: Array("key=\(key.exposed)".utf8), connectTimeout: .seconds(90), timeout: .seconds(300))
        ).get()
        let cookie = try #require(login.header("Set-Cookie")?.split(separator: ";").first)
        let answer = try await client.send(
            OutboundRequest(
                method: .get, url: "\(console)/configuration", headers: [("Cookie", String(cookie))],
                connectTimeout: .seconds(90), timeout: .seconds(300))
        ).get()
        let page = String(decoding: answer.body, as: UTF8.self)
        #expect(answer.status == 200)
        for text in ["<bdi>41</bdi> <b>\(config), line 1</b>", "pay.example", "*** in \(phrase)"] {
            #expect(page.contains(text), "\(text)")
        }
        let secrets = [
            "canary", "whsec_", String(operators.suffix(64)), String(key.exposed.suffix(20)), relay.journalPath,
        ]
        for secret in secrets { #expect(!page.contains(secret), "\(secret)") }
    }

    @Test func theSchemaIsJSON() async throws {
        let (status, text) = try await config(["schema"])
        #expect(status == 0)
        #expect(try JSON(parsing: Array(text.utf8))["$schema"] == "https://json-schema.org/draft/2020-12/schema")
    }
}
