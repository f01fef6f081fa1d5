import PayrelayPrimitives

/// The differences between a database's SQL and the journal's statements, which are written in PostgreSQL's SQL
/// with SQLite's `INDEXED BY` and `WITHOUT ROWID`.
public struct Dialect: Sendable {
    /// Whether statements name indexes. SQLite has no statistics here, so indexes are named, and no plan depends on
    /// its guesses. PostgreSQL chooses by its own statistics.
    let namesIndexes: Bool
    /// Texts and their replacements, applied in this order.
    let replacements: [(text: String, by: String)]
    /// How many rows a search reads for one page, and how many it sorts if a list has no order. It takes some ten
    /// milliseconds.
    let rowsPerPage: Int
    /// The statement that checks the database's file for damage; `nil` if the database is a server.
    let integrityCheck: String?
    /// The statement that returns the `name` of each table.
    let tableNames: String
    /// The statement that returns the `name` of each table with the `column_name` of each of its columns.
    let columnNames: String
    /// The statement that returns the `name` of each table and its `bytes`, its indexes included.
    let tableSizes: String

    /// The statement that returns the number of unused bytes in the file; `nil` if the database is a server.
    let freeBytes: String?

    public static let postgres = Dialect(
        namesIndexes: false, replacements: [(") WITHOUT ROWID;", ");")], rowsPerPage: 5_000,
        integrityCheck: nil,
        tableNames: "SELECT CAST(tablename AS text) AS name FROM pg_tables WHERE schemaname = current_schema",
        columnNames: """
            SELECT CAST(table_name AS text) AS name, CAST(column_name AS text) AS column_name
            FROM information_schema.columns WHERE table_schema = current_schema
            """,
        tableSizes: """
            SELECT CAST(tablename AS text) AS name,
                pg_total_relation_size(CAST(quote_ident(schemaname) || '.' || quote_ident(tablename) AS regclass)) AS bytes
            FROM pg_tables WHERE schemaname = current_schema
            """, freeBytes: nil)

    public static let sqlite = Dialect(
        namesIndexes: true,
        replacements: [
            // SQLite has a single writer, so nothing changes what a transaction has read.
            (" FOR UPDATE SKIP LOCKED", ""), (" FOR UPDATE", ""),
            // Reads bytes as text, even if they are not UTF-8.
            ("strpos(", "instr("), ("encode(", "CAST("), (", 'escape')", " AS TEXT)"),
            // SQLite compares texts by their bytes.
            (#" COLLATE "C""#, ""),
            // The statements of a version run in one transaction.
            ("ADD COLUMN IF NOT EXISTS", "ADD COLUMN"), ("bytea", "BLOB"), ("bigint", "INTEGER"),
            // Columns contain only values of their type.
            ("\n) WITHOUT ROWID;", "\n) STRICT, WITHOUT ROWID;"), ("\n);", "\n) STRICT;"),
        ], rowsPerPage: 5_000, integrityCheck: "PRAGMA integrity_check(10)",
        tableNames: "SELECT name FROM sqlite_schema WHERE type = 'table'",
        columnNames: """
            SELECT part.name AS name, columns.name AS column_name
            FROM sqlite_schema AS part, pragma_table_info(part.name) AS columns WHERE part.type = 'table'
            """,
        tableSizes: """
            SELECT part.tbl_name AS name, sum(size.pgsize) AS bytes
            FROM dbstat('main', 1) AS size JOIN sqlite_schema AS part ON part.name = size.name GROUP BY part.tbl_name
            """, freeBytes: "SELECT freelist_count * page_size FROM pragma_freelist_count, pragma_page_size")

    /// Returns a statement in the database's dialect.
    public func written(_ sql: String) -> String {
        var sql = sql
        for (text, other) in replacements { sql = sql.replacingEach(text, with: other) }
        return namesIndexes ? sql : sql.replacing(/\ INDEXED BY [a-z_]+/, with: "")
    }
}
