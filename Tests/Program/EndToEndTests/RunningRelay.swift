import Foundation
import OutboundHTTP
import PayrelayPrimitives
import SQLiteDriver
import TestPrograms

/// `payrelay serve` at ports that the system chose, with a sandbox as its FORT and a journal in a temporary folder.
final class RunningRelay: Sendable {
    let sandbox: RunningSandbox
    let program: RunningProgram
    let port: Int
    let adminPort: Int
    /// The relay's settings with its ports, for commands that work beside it.
    let environment: [String: String]
    private let folder: TemporaryFolder
    private let client: OutboundClient

    /// Starts the relay and waits until it takes connections.
    ///
    /// - Parameters:
    ///   - predecessor: A relay whose sandbox and journal it takes over.
    ///   - sandbox: A running sandbox, or `nil` for the predecessor's or a new one.
    ///   - gateways: The sandbox's gateways at which the relay has an account. FORT is always among them.
    ///   - launcher: See `RunningProgram`.
    ///   - config: A file with further settings.
    ///   - settings: Settings in addition to those of every relay in these tests.
    init(
        after predecessor: RunningRelay? = nil, sandbox running: RunningSandbox? = nil,
        gateways: [TestedGateway] = [.fort], launcher: [String] = [], config: String? = nil,
        _ settings: [String: String] = [:]
    ) async throws {
        if let predecessor {
            sandbox = predecessor.sandbox
            folder = predecessor.folder
        } else {
            if let running { sandbox = running } else { sandbox = try await RunningSandbox() }
            folder = try TemporaryFolder()
        }
        let accounts = gateways.contains(.portmone) ? sandbox.portmoneSettings : [:]
        let settings = sandbox.settings.merging(accounts) { $1 }.merging([
            "PAYRELAY_HTTP_PORT": "0", "PAYRELAY_ADMIN_PORT": "0",
            "PAYRELAY_TOKEN_TRUST_ANCHOR_FILE": Project.url("certs/sandbox/root-ca.pem").path,
            "PAYRELAY_JOURNAL": "sqlite:\(Self.journal(in: folder).path)",
            // A test may take minutes from a token to its payment.
            "PAYRELAY_TOKEN_FRESHNESS_SECONDS": "86400",
        ]) { $1 }.merging(settings) { $1 }
        let file = config.map { ["--config", $0] } ?? []
        let program = try RunningProgram(["serve"] + file, environment: settings, launcher: launcher)
        var ports: (http: Int, admin: Int)?
        try await program.wait(for: "its listeners") {
            if let http = program.port(logged: "listening"), let admin = program.port(logged: "admin listening") {
                ports = (http, admin)
            }
            return ports != nil
        }
        (port, adminPort) = ports ?? (0, 0)
        environment = settings.merging([
            "PAYRELAY_HTTP_PORT": "\(port)", "PAYRELAY_ADMIN_PORT": "\(adminPort)",
        ]) { $1 }
        self.program = program
        client = OutboundClient(OutboundSettings(inFlightLimit: 1_000))
    }

    deinit { client.shutdown() }

    /// Runs a relay that must not start, with an account that no FORT has.
    static func start(refusing settings: [String: String]) async throws -> (status: Int32, text: String) {
        try await RunningProgram.run(
            ["serve"],
            environment: [
                "PAYRELAY_FORT_ACCESS_CODE": "a", "PAYRELAY_FORT_MERCHANT_IDENTIFIER": "m",
                "PAYRELAY_FORT_REQUEST_PHRASE": "p", "PAYRELAY_FORT_RESPONSE_PHRASE": "p",
                "PAYRELAY_JOURNAL": "memory:", "PAYRELAY_HTTP_PORT": "0", "PAYRELAY_ADMIN_PORT": "0",
            ].merging(settings) { $1 })
    }

    private static func journal(in folder: TemporaryFolder) -> URL { folder.url.appending(path: "journal.sqlite") }

    var journalPath: String { Self.journal(in: folder).path }

    /// Waits until `/ready` answers 200 or 503. Throws if the program ends meanwhile.
    func waitUntilReady(_ isReady: Bool) async throws {
        try await program.wait(for: isReady ? "readiness" : "the end of readiness") {
            let answer = try await admin("/ready")
            return answer.status == (isReady ? 200 : 503)
        }
    }

    /// Waits until each account can be charged, for a test whose gateway fails from then on.
    func waitUntilVerified() async throws {
        try await program.wait(for: "verified accounts") {
            let lists = try await admin("/ready").json?.objectValue?.members.compactMap(\.value.arrayValue) ?? []
            let accounts = lists.joined().filter { $0["account"] != nil }
            return !accounts.isEmpty && accounts.allSatisfy { $0["chargeable"] == true }
        }
    }

    /// The length of the write-ahead log in bytes.
    var writeAheadLogSize: Int {
        get throws {
            let path = Self.journal(in: folder).path + "-wal"
            return try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
        }
    }

    /// The journal's files by name. They are complete once the relay has ended.
    var journalFiles: [String: Data] {
        get throws {
            let files = try FileManager.default.contentsOfDirectory(at: folder.url, includingPropertiesForKeys: nil)
            return try files.reduce(into: [:]) { $0[$1.lastPathComponent] = try Data(contentsOf: $1) }
        }
    }

    /// Replaces the journal's files with earlier ones.
    func restoreJournal(_ earlier: [String: Data]) throws {
        for name in try journalFiles.keys { try FileManager.default.removeItem(at: folder.url.appending(path: name)) }
        for (name, content) in earlier { try content.write(to: folder.url.appending(path: name)) }
    }

    /// Runs SQL on the journal of a relay that has ended.
    func runSQL(_ statement: String) async throws {
        try SQLiteConnection(path: Self.journal(in: folder).path).run(script: statement)
    }

    /// The bytes of all files of the journal.
    var journalBytes: Data {
        get throws {
            try journalFiles.values.reduce(into: Data()) { $0 += $1 }
        }
    }

    func get(_ path: String, headers: [(name: String, value: String)] = []) async throws -> OutboundAnswer {
        try await send(
            OutboundRequest(
                method: .get, url: "http://127.0.0.1:\(port)\(path)", headers: headers, connectTimeout: .seconds(90),
                timeout: .seconds(300)))
    }

    /// Sends a GET to a route of the admin listener.
    func admin(_ path: String, headers: [(name: String, value: String)] = []) async throws -> OutboundAnswer {
        try await send(
            OutboundRequest(
                method: .get, url: "http://127.0.0.1:\(adminPort)\(path)", headers: headers,
                connectTimeout: .seconds(90), timeout: .seconds(300)))
    }

    /// Submits a form of the admin listener's pages.
    func submit(
        _ path: String, _ form: [(name: String, value: String)], headers: [(name: String, value: String)] = []
    ) async throws -> OutboundAnswer {
        let body = form.map { field in
            "\(field.name)=" + field.value.utf8.map { "%" + HexText(encoding: [$0]).text }.joined()
        }.joined(separator: "&")
        let type = [(name: "Content-Type", value: "application/x-www-form-urlencoded")]
        return try await send(
            OutboundRequest(
                url: "http://127.0.0.1:\(adminPort)\(path)", headers: type + headers, body: Array(body.utf8),
                connectTimeout: .seconds(90), timeout: .seconds(300)))
    }

    /// Returns the value of a metric, or `nil` if there is no metric with that name.
    func metric(_ name: String) async throws -> Int? {
        let line = String(decoding: try await admin("/metrics").body, as: UTF8.self).split(separator: "\n").first {
            $0.hasPrefix(name + " ")
        }
        return line.flatMap { Int($0.dropFirst(name.count + 1)) }
    }

    func post(
        _ path: String, _ body: [UInt8], contentType: String? = "application/json",
        headers: [(name: String, value: String)] = []
    ) async throws -> OutboundAnswer {
        let typed = contentType.map { [(name: "Content-Type", value: $0)] } ?? []
        return try await send(
            OutboundRequest(
                url: "http://127.0.0.1:\(port)\(path)", headers: typed + headers, body: body,
                connectTimeout: .seconds(90), timeout: .seconds(300)))
    }

    private func send(_ request: OutboundRequest) async throws -> OutboundAnswer {
        // Once the relay has ended, its port may belong to another test.
        guard program.isRunning else {
            throw RunningProgram.LaunchError(description: "payrelay has ended:\n\(program.text)")
        }
        do {
            return try await client.send(request).get()
        } catch {
            let state = program.isRunning ? "is running" : "has ended"
            throw RunningProgram.LaunchError(description: "\(error), and payrelay \(state):\n\(program.text)")
        }
    }

    func pay(_ body: JSON, idempotencyKey: String? = nil) async throws -> OutboundAnswer {
        let key = idempotencyKey.map { [(name: "Idempotency-Key", value: $0)] } ?? []
        return try await post("/v1/payments", body.encoded(), headers: key)
    }

    /// Waits until the outcome of the payment is final, and returns it.
    func finalOutcome(of reference: String, within limit: Duration = .seconds(300)) async throws -> String? {
        var answer: OutboundAnswer?
        try await program.wait(for: "the outcome of \(reference)", within: limit) {
            answer = try await get("/v1/payments/\(reference)")
            return answer?.status == 200
        }
        return answer?.outcome
    }
}

extension RunningProgram {
    /// Returns the port in the first line of the log with this message.
    func port(logged message: String) -> Int? {
        for line in lines where line.contains("\"message\":\"\(message)\"") {
            return (try? JSON(parsing: String(line)))?["port"]?.stringValue.flatMap { Int($0) }
        }
        return nil
    }
}

extension OutboundAnswer {
    var json: JSON? { try? JSON(parsing: body) }
    var outcome: String? { json?["outcome"]?.stringValue }
    /// The last part of a problem's `type`.
    var problem: String? { json?["type"]?.stringValue?.split(separator: ":").last.map(String.init) }
    /// The names of the invalid fields.
    var faultyFields: [String] { json?["errors"]?.arrayValue?.compactMap { $0["field"]?.stringValue } ?? [] }
}
