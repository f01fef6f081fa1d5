/// Differences between a database's SQL and this journal's statements, which are PostgreSQL's with SQLite's
/// `INDEXED BY` and `WITHOUT ROWID` in them.
public struct Dialect: Sendable {
    /// SQLite has no statistics here: an index is named, so that no plan depends on what it guesses. PostgreSQL chooses by its own.
    let namesIndexes: Bool
    /// Texts and their replacements, applied in this order.
    let replacements: [(text: String, by: String)]
    /// How many rows a search reads for one page, and how many of a list without order it sorts: some ten milliseconds' worth.
    let rowsPerPage: Int

    public static let postgres = Dialect(
        namesIndexes: false, replacements: [(") WITHOUT ROWID;", ");")], rowsPerPage: 5_000)

    public static let sqlite = Dialect(
        namesIndexes: true,
        replacements: [
            // Its one writer changes everything that a transaction reads.
            (" FOR UPDATE SKIP LOCKED", ""), (" FOR UPDATE", ""),
            // No statement changes two tables; the row that the first one changed is read again.
            ("FROM changed", "FROM (SELECT * FROM payment WHERE merchant_reference = $1) AS changed"),
            // It compares texts by their bytes.
            (#" COLLATE "C""#, ""), ("bytea", "BLOB"), ("bigint", "INTEGER"),
            // Columns hold what their type says, and nothing else.
            ("\n) WITHOUT ROWID;", "\n) STRICT, WITHOUT ROWID;"), ("\n);", "\n) STRICT;"),
        ], rowsPerPage: 5_000)

    /// Returns a statement in the database's dialect.
    public func written(_ sql: String) -> String {
        var sql = sql
        for (text, other) in replacements { sql = sql.replacing(text, with: other) }
        return namesIndexes ? sql : sql.replacing(/\ INDEXED BY [a-z_]+/, with: "")
    }
}
