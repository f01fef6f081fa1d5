import PaymentRelay

/// A session that runs scripts: several statements without parameters.
public protocol ScriptSession {
    /// - Returns: the rows of the last statement, with columns as text or as integers.
    func run(script: String) throws -> [Row]
}

/// The error for tables that a newer payrelay has made.
public struct NewerSchema: Error, Equatable, CustomStringConvertible {
    public let version: Int
    public let known: Int

    public var description: String {
        "a newer payrelay has written to it: its tables are of version \(version), and this payrelay knows versions up to \(known)"
    }
}

/// The error for tables that an older payrelay has made. The tables are left as they are.
public struct OlderSchema: Error, Equatable {
    public let version: Int
}

/// The error for tables with this version's number but other columns. An unreleased older build has made them.
public struct UnreleasedSchema: Error, Equatable, CustomStringConvertible {
    public init() {}

    public var description: String {
        "its tables were made by an older build of payrelay, which was not released: begin a new journal"
    }
}

/// The error for a journal into which a copy was not finished, so that rows are missing.
public struct UnfinishedCopy: Error, Equatable, CustomStringConvertible {
    public init() {}

    public var description: String {
        "a copy into it is not finished: run payrelay journal copy or restore again, with the same source"
    }
}

extension Schema {
    /// Changes the tables to the newest version. Several instances may call this at once: the first one locks the
    /// row with the version, and the others then find the tables changed.
    ///
    /// - Parameter changesOlder: whether to change tables of an older version. Missing tables are created in any
    ///   case.
    public static func migrate(
        _ session: some ScriptSession, in dialect: Dialect, to versions: [String] = versions, changesOlder: Bool = true
    ) throws {
        for statement in [
            "CREATE TABLE IF NOT EXISTS schema_version (one bigint PRIMARY KEY, version bigint NOT NULL)",
            "INSERT INTO schema_version (one, version) VALUES (1, 0) ON CONFLICT DO NOTHING", "BEGIN",
        ] { _ = try session.run(script: dialect.written(statement)) }
        do {
            let found = try version(
                session, dialect.written("SELECT version FROM schema_version WHERE one = 1 FOR UPDATE"))
            if let found, found < 0 { throw UnfinishedCopy() }
            guard let version = found, (0...versions.count).contains(version) else {
                throw NewerSchema(version: found ?? -1, known: versions.count)
            }
            try requireColumns(of: Array(versions.prefix(version)), session, in: dialect)
            guard changesOlder || [0, versions.count].contains(version) else { throw OlderSchema(version: version) }
            for statements in versions.dropFirst(version) {
                _ = try session.run(script: dialect.written(statements))
            }
            _ = try session.run(script: "UPDATE schema_version SET version = \(versions.count) WHERE one = 1")
            _ = try session.run(script: "COMMIT")
        } catch {
            _ = try? session.run(script: "ROLLBACK")
            throw error
        }
    }

    /// Checks that the tables have the columns of these versions.
    ///
    /// - Throws: ``UnreleasedSchema`` if a table has other columns.
    public static func requireColumns(
        of versions: [String] = versions, _ session: some ScriptSession, in dialect: Dialect
    ) throws {
        var found: [String: Set<String>] = [:]
        for row in try session.run(script: dialect.columnNames) {
            found[try row.text("name"), default: []].insert(try row.text("column_name"))
        }
        let known = tables(of: versions)
        guard known.allSatisfy({ found[$0.name] == Set($0.columns.map(\.name)) }) else { throw UnreleasedSchema() }
    }

    /// Returns the version of the tables; `nil` also if the table with the version is missing.
    public static func existingVersion(_ session: some TableSession) throws -> Int? {
        try session.hasTable("schema_version") ? version(session) : nil
    }

    /// Returns the version of the tables; `nil` if there are none. It is negative while a copy into them is not
    /// finished.
    public static func version(
        _ session: some ScriptSession, _ query: String = "SELECT version FROM schema_version WHERE one = 1"
    ) throws -> Int? {
        try session.run(script: query).first.flatMap { row in
            switch row["version"] {
            case .integer(let version): version
            case .text(let version): Int(version)
            default: nil
            }
        }
    }
}
