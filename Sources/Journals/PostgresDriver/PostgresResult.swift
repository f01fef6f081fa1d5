import CPostgres
import PayrelayPrimitives
import SQLJournal

/// A result of libpq, freed with the last reference.
final class PostgresResult {
    private let result: OpaquePointer

    init(_ result: OpaquePointer) {
        self.result = result
    }

    deinit {
        PQclear(result)
    }

    /// Whether the server has reached the end of a pipeline.
    var isPipelineEnd: Bool { PQresultStatus(result) == PGRES_PIPELINE_SYNC }
    /// Whether the statement was not run, because an earlier statement in its pipeline was refused.
    var isSkipped: Bool { PQresultStatus(result) == PGRES_PIPELINE_ABORTED }

    /// Returns the answer of the statement.
    ///
    /// - Throws: ``PostgresError/refused(sqlState:message:)``; or ``PostgresError/outcomeUnknown(reason:)`` if the
    ///   server did not end the statement, or does not know the result itself.
    func answer() throws(PostgresError) -> Answer {
        switch PQresultStatus(result) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY:
            return Answer(rows: rows, count: Int(String(cString: PQcmdTuples(result))) ?? 0)
        default:
            let message = field(payrelay_pg_message_primary) ?? String(cString: PQresultErrorMessage(result)).oneLine
            guard let sqlState = field(payrelay_pg_sqlstate), sqlState != Self.statementCompletionUnknown else {
                throw .outcomeUnknown(reason: message)
            }
            throw .refused(sqlState: sqlState, message: message)
        }
    }

    private static let statementCompletionUnknown = "40003"

    private var rows: [Row] {
        let names = (0..<PQnfields(result)).map { String(cString: PQfname(result, $0)) }
        return (0..<PQntuples(result)).map { row in
            Row(names: names, columns: (0..<Int32(names.count)).map { column(row, $0) })
        }
    }

    /// Returns a value in the binary format. In the text format, which answers to scripts have, every value is a
    /// text.
    private func column(_ row: Int32, _ place: Int32) -> Row.Column {
        if PQgetisnull(result, row, place) != 0 { return .null }
        let bytes = UnsafeRawBufferPointer(
            start: PQgetvalue(result, row, place), count: Int(PQgetlength(result, row, place)))
        switch (PQftype(result, place), PQfformat(result, place)) {
        case (_, 0), (PostgresType.text, _):
            return String(validating: bytes, as: UTF8.self).map { .text($0) } ?? .other
        case (PostgresType.bigint, _) where bytes.count == 8:
            return .integer(Int(bytes.reduce(into: Int64(0)) { $0 = $0 << 8 | Int64($1) }))
        case (PostgresType.integer, _) where bytes.count == 4:
            return .integer(Int(Int32(bitPattern: bytes.reduce(into: UInt32(0)) { $0 = $0 << 8 | UInt32($1) })))
        case (PostgresType.bytea, _): return .bytes(Array(bytes))
        default: return .other
        }
    }

    private func field(_ code: Int32) -> String? {
        PQresultErrorField(result, code).map { String(cString: $0) }
    }
}

extension String {
    /// The text on one line. libpq's messages end in a line feed and may contain more of them.
    var oneLine: String {
        lines.filter { !$0.isEmpty }.joined(separator: " ")
    }
}

/// The types of the journal's columns, with PostgreSQL's numbers (`pg_type.dat`).
enum PostgresType {
    static let bytea: Oid = 17
    static let bigint: Oid = 20
    static let integer: Oid = 23
    static let text: Oid = 25
}
