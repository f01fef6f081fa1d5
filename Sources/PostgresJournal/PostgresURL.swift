import CPostgres

/// Where the journal is, in libpq's words: `postgres://user:password@host:port/database?sslmode=verify-full`.
struct PostgresURL: Sendable {
    private let text: String

    init(_ text: String) throws(PostgresError) {
        guard let options = PQconninfoParse(text, nil) else { throw .unreadableURL }
        PQconninfoFree(options)
        self.text = text
    }

    /// Libpq's parameters, in the order in which a later one overrides an earlier. Of several hosts it takes the one that
    /// can be written to.
    var parameters: KeyValuePairs<String, String> {
        [
            "target_session_attrs": "read-write",
            "fallback_application_name": "payrelay",
            "dbname": text,
            "client_encoding": "UTF8",
        ]
    }
}
