import Foundation
import SQLJournal
import TestPostgres

@testable import PostgresDriver

/// A schema for one test, on a server that other tests share.
struct PostgresSchema: Sendable {
    /// The URL of connections that see only this schema.
    let url: String
    private let server: String
    let name = "payrelay_\(UUID().uuidString.lowercased().filter { $0 != "-" })"

    private init(on server: PostgresServer, options: [String]) throws {
        self.server = server.url
        let words = (["search_path=\(name)"] + options).map { "-c%20" + $0.replacing("=", with: "%3D") }
        url = server.url + (server.url.contains("?") ? "&" : "?") + "options=" + words.joined(separator: "%20")
        try run("CREATE SCHEMA \(name)")
    }

    /// Makes a schema, and drops it when the body is done.
    ///
    /// - Parameter options: Settings of the server for connections by the schema's URL.
    static func with(
        on server: PostgresServer? = nil, options: [String] = [],
        _ body: (PostgresSchema) async throws -> Void
    ) async throws {
        let schema = try PostgresSchema(on: server ?? PostgresServer.shared.get(), options: options)
        defer { _ = try? schema.run("DROP SCHEMA \(schema.name) CASCADE") }
        try await body(schema)
    }

    func journal(_ change: (inout PostgresSettings) -> Void = { _ in }) async throws -> SQLJournal {
        SQLJournal(try await driver(change))
    }

    func driver(_ change: (inout PostgresSettings) -> Void = { _ in }) async throws -> PostgresDriver {
        var settings = PostgresSettings.patient
        settings.connections = 4
        change(&settings)
        return try await PostgresDriver(url: url, settings: settings)
    }

    /// Returns the statement that writes a payment with nothing but its reference.
    static func row(_ reference: String) -> String {
        """
        INSERT INTO payment (merchant_reference, state, command, amount, currency, claimed_at, gateway, captured, refunded,
            holds_customer_data, version)
        VALUES ('\(reference)', 'processing', '', 1, '', 1, '', 0, 0, 1, 1)
        """
    }

    /// Runs statements in a separate session.
    @discardableResult
    func run(_ script: String) throws -> [Row] {
        try session().run(script: script, until: .now + .seconds(3_600)).rows
    }

    func session() throws -> PostgresSession {
        try PostgresSession.connect(to: PostgresURL(url), until: .now + .seconds(3_600))
    }

    /// Waits until sessions wait for another session's lock, and returns their processes.
    func waitingBackends() async throws -> [String] {
        while true {
            let rows = try run(
                """
                SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND application_name = 'payrelay'
                AND query LIKE '%payment%' AND datname = current_database()
                """)
            if !rows.isEmpty { return try rows.map { try $0.text("pid") } }
            try await Task.sleep(for: .milliseconds(10))
        }
    }
}
