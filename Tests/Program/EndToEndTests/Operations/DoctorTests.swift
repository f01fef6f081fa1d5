import Foundation
import JournalContract
import OutboundHTTP
import PaymentRelay
import PayrelayPrimitives
import SQLJournal
import SQLiteDriver
import TestPrograms
import Testing

/// `payrelay doctor` against the sandbox: a correct setup, and each fault by itself.
@Suite(.timeLimit(.minutes(25))) struct DoctorTests {
    private let folder: TemporaryFolder
    private let sandbox: RunningSandbox

    init() async throws {
        folder = try TemporaryFolder()
        sandbox = try await RunningSandbox()
    }

    /// - Parameter changes: Changes to the settings of a correct setup. An empty text removes a setting.
    private func examine(
        _ changes: [String: String] = [:], arguments: [String] = []
    ) async throws -> (diagnostics: [String: JSON], status: Int32) {
        let sound = [
            "PAYRELAY_TOKEN_TRUST_ANCHOR_FILE": Project.url("certs/sandbox/root-ca.pem").path,
            "PAYRELAY_JOURNAL": "sqlite:\(folder.url.appending(path: "journal.sqlite").path)",
            "PAYRELAY_API_KEYS": try await GeneratedKey("shop").line,
            "PAYRELAY_HTTP_CLIENT_REQUESTS_PER_SECOND_MAX": "50",
        ]
        let settings = sandbox.settings.merging(sound) { $1 }.merging(changes) { $1 }.filter { !$0.value.isEmpty }
        let (status, text) = try await RunningProgram.run(["doctor", "--json"] + arguments, environment: settings)
        var diagnostics: [String: JSON] = [:]
        for line in text.split(separator: "\n") {
            guard let diagnostic = try? JSON(parsing: String(line)), let check = diagnostic["check"]?.stringValue else {
                continue
            }
            diagnostics[check] = diagnostic
        }
        return (diagnostics, status)
    }

    @Test("A sound set-up fails nothing, and leaves nothing behind")
    func sound() async throws {
        let (diagnostics, status) = try await examine()
        let failed = diagnostics.values.filter { $0["verdict"] == "fail" }
        #expect(failed.isEmpty && status == 0, "\(failed)")
        for check in [
            "settings", "token-verification", "clients", "fort-endpoint", "fort-account:default", "clock", "journal",
        ] {
            #expect(diagnostics[check]?["verdict"] == "pass", "\(check): \(diagnostics[check] ?? .null)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
    }

    @Test(
        "Each fault alone is found, and named",
        arguments: [
            ("PAYRELAY_FORT_REQUEST_PHRASE", "another", "fort-account:default", "00008"),
            ("PAYRELAY_FORT_RESPONSE_PHRASE", "another", "fort-account:default", "response phrase"),
            ("PAYRELAY_FORT_SIGNATURE_TYPE", "hmac-sha512", "fort-account:default", "SHA type"),
            ("PAYRELAY_FORT_ACCESS_CODE", "another", "fort-account:default", "00010"),
            ("PAYRELAY_FORT_MERCHANT_IDENTIFIER", "another", "fort-account:default", "00009"),
            ("PAYRELAY_FORT_ENDPOINT", "http://127.0.0.1:1/FortAPI/paymentApi", "fort-endpoint", "127.0.0.1:1"),
            ("PAYRELAY_TOKEN_VERIFICATION", "off", "token-verification", "off"),
            ("PAYRELAY_API_KEYS", "", "clients", "loopback"),
            ("PAYRELAY_JOURNAL", "memory:", "journal", "memory"),
            ("PAYRELAY_JOURNAL", "sqlite:/nowhere/at/all/journal.sqlite", "journal", "does not exist"),
            ("PAYRELAY_JWT_KEYS_URL", "http://127.0.0.1:1/keys", "jwt-keys", "127.0.0.1:1"),
        ])
    func faults(_ setting: String, _ value: String, _ check: String, _ word: String) async throws {
        let (diagnostics, status) = try await examine([setting: value])
        let diagnostic = diagnostics[check]
        #expect(diagnostic?["verdict"] == "fail" && status == 1, "\(diagnostics)")
        let text = [diagnostic?["detail"], diagnostic?["advice"]].compactMap { $0?.stringValue }.joined(separator: " ")
        #expect(text.contains(word), "\(text)")
    }

    @Test("A backend that answers anything can be reached, and gets no event")
    func backend() async throws {
        let backend = try EventBackend(answering: 405)
        let secret = "whsec_QUJDREVGR0hJSktMTU5PUFFSU1RVVldY"
        let reached = try await examine(["PAYRELAY_EVENTS_URL": backend.url, "PAYRELAY_EVENTS_SECRET": secret])
        #expect(reached.diagnostics["events"]?["verdict"] == "pass", "\(reached)")
        #expect(backend.deliveries.map { $0.headers["request"] } == ["GET /events HTTP/1.1"])
        let missing = try await examine([
            "PAYRELAY_EVENTS_URL": "http://127.0.0.1:1/events", "PAYRELAY_EVENTS_SECRET": secret,
        ])
        #expect(missing.diagnostics["events"]?["verdict"] == "fail" && missing.status == 1, "\(missing)")
    }

    @Test("Settings that cannot be read are all named")
    func settings() async throws {
        let (diagnostics, status) = try await examine([
            "PAYRELAY_FORT_TIMEOUT_SECONDS": "soon", "PAYRELAY_NO_SETTING": "1",
        ])
        #expect(status == 78)
        #expect(diagnostics["settings"]?["verdict"] == "fail")
    }

    @Test("A token of another merchant's certificate, and one of another authority, are found")
    func token() async throws {
        let file = folder.url.appending(path: "token.json")
        let mint = try await RunningProgram.run(["token", "mint", "--amount", "100", "--currency", "AED"])
        try Data(mint.text.utf8).write(to: file)
        #expect(try await examine(arguments: ["--token", file.path]).diagnostics["token"]?["verdict"] == "pass")
        let apple = try await examine(
            ["PAYRELAY_TOKEN_TRUST_ANCHOR_FILE": ""], arguments: ["--token", file.path])
        #expect(apple.diagnostics["token"]?["verdict"] == "fail" && apple.status == 1, "\(apple)")
        try FileManager.default.removeItem(at: file)
    }

    @Test("Open payments of an account that is not configured fail, and a relay that starts warns of them")
    func withoutAccount() async throws {
        let former = try await RunningRelay(sandbox: sandbox)
        let journal = try SQLJournal(attachingTo: former.journalPath)
        for (reference, account) in [("A", "former"), ("B", "former"), ("C", "default")] {
            let payment = Payment(
                merchantReference: reference, command: .purchase, amount: 100, currency: "AED", fingerprint: nil,
                appleTransactionIdentifier: nil, claimedAt: Date(), gateway: "fort", account: account)
            #expect(try await journal.record(payment, because: HistoryEntry(at: Date(), state: .processing)))
        }
        let (diagnostics, status) = try await examine(["PAYRELAY_JOURNAL": "sqlite:\(former.journalPath)"])
        let found = diagnostics.filter { $0.key.hasPrefix("open-payments:") }
        #expect(found.keys.sorted() == ["open-payments:fort former"] && status == 1, "\(diagnostics)")
        #expect(found.values.first?["detail"]?.stringValue?.hasPrefix("2 payments are open") == true, "\(found)")
        former.program.signal(SIGTERM)
        try await former.program.end()
        let relay = try await RunningRelay(after: former)
        let warning = "the account of open payments is not configured"
        try await relay.program.wait(toPrint: warning)
        let line = try JSON(parsing: String(try #require(relay.program.lines.first { $0.contains(warning) })))
        #expect(line["account"] == "fort former" && line["payments"] == "2", "\(line)")
    }

    @Test("A journal that is gone is not taken for one that is not there yet")
    func lostJournal() async throws {
        try folder.file("journal.sqlite.lock", "1")
        let (diagnostics, status) = try await examine()
        #expect(diagnostics["journal"]?["verdict"] == "fail" && status == 1)
        #expect(diagnostics["journal"]?["detail"]?.stringValue?.contains("the file is gone") == true)
    }

    @Test("It examines the journal of a relay that runs, and takes nothing from it")
    func besideARelay() async throws {
        let path = folder.url.appending(path: "journal.sqlite").path
        let relay = try await RunningRelay(sandbox: sandbox, ["PAYRELAY_JOURNAL": "sqlite:\(path)"])
        let (diagnostics, _) = try await examine()
        #expect(diagnostics["journal"]?["verdict"] == "pass")
        try await relay.waitUntilReady(true)
    }
}
