/// A statement that is prepared once on each connection. Its parameters and its rows are in the binary format.
struct PostgresStatement: Sendable {
    let name: String
    let sql: String
    /// Whether to run it twice does no more than to run it once, so that it may be run again when nobody knows whether it
    /// was carried out.
    let isRepeatable: Bool
    /// Whether it is run in a transaction that is rolled back.
    let isRolledBack: Bool

    init(_ name: String, isRepeatable: Bool = false, isRolledBack: Bool = false, _ sql: String) {
        self.name = name
        self.isRepeatable = isRepeatable
        self.isRolledBack = isRolledBack
        self.sql = sql
    }
}
