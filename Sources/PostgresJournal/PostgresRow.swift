/// One row of an answer, its values in the format they were asked for.
struct PostgresRow: Sendable {
    /// By column. NULL is absent.
    let values: [String: [UInt8]]

    func bytes(_ column: String) -> [UInt8]? { values[column] }

    func text(_ column: String) throws(PostgresError) -> String {
        guard let text = try optionalText(column) else { throw .unexpectedValue(column: column) }
        return text
    }

    func optionalText(_ column: String) throws(PostgresError) -> String? {
        guard let bytes = values[column] else { return nil }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .unexpectedValue(column: column) }
        return text
    }

    /// A `bigint` in the binary format.
    func integer(_ column: String) throws(PostgresError) -> Int {
        guard let bytes = values[column], bytes.count == 8 else { throw .unexpectedValue(column: column) }
        return Int(bytes.reduce(into: Int64(0)) { $0 = $0 << 8 | Int64($1) })
    }

    /// A `boolean` in the binary format.
    func boolean(_ column: String) throws(PostgresError) -> Bool {
        guard let bytes = values[column], bytes.count == 1 else { throw .unexpectedValue(column: column) }
        return bytes[0] != 0
    }
}

/// What the server answered to a statement.
struct PostgresAnswer: Sendable {
    var rows: [PostgresRow] = []
    /// How many rows the statement wrote, or returned.
    var count = 0
}
