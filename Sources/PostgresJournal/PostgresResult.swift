import CPostgres
import PayrelayPrimitives
import PaymentRelay

/// A result of libpq, freed with the last reference.
final class PostgresResult {
    private let result: OpaquePointer

    init(_ result: OpaquePointer) {
        self.result = result
    }

    deinit {
        PQclear(result)
    }

    /// The server has come to the end of a pipeline.
    var isPipelineEnd: Bool { PQresultStatus(result) == PGRES_PIPELINE_SYNC }
    /// The statement was not run, because one before it in its pipeline was refused.
    var isSkipped: Bool { PQresultStatus(result) == PGRES_PIPELINE_ABORTED }

    /// - Throws: ``PostgresError/refused(sqlState:message:)``, or ``PostgresError/outcomeUnknown(reason:)`` where it was
    ///   not the server that ended the statement, or the server itself does not know.
    func answer() throws(PostgresError) -> PostgresAnswer {
        switch PQresultStatus(result) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY:
            return PostgresAnswer(rows: rows, count: Int(String(cString: PQcmdTuples(result))) ?? 0)
        default:
            let message = field(payrelay_pg_message_primary) ?? String(cString: PQresultErrorMessage(result)).oneLine
            guard let sqlState = field(payrelay_pg_sqlstate), sqlState != Self.statementCompletionUnknown else {
                throw .outcomeUnknown(reason: message)
            }
            throw .refused(sqlState: sqlState, message: message)
        }
    }

    private static let statementCompletionUnknown = "40003"

    private var rows: [PostgresRow] {
        let columns = (0..<PQnfields(result)).map { String(cString: PQfname(result, $0)) }
        return (0..<PQntuples(result)).map { row in
            var values: [String: [UInt8]] = [:]
            for (column, name) in zip(Int32(0)..., columns) where PQgetisnull(result, row, column) == 0 {
                let length = Int(PQgetlength(result, row, column))
                values[name] = Array(UnsafeRawBufferPointer(start: PQgetvalue(result, row, column), count: length))
            }
            return PostgresRow(values: values)
        }
    }

    private func field(_ code: Int32) -> String? {
        PQresultErrorField(result, code).map { String(cString: $0) }
    }
}

extension String {
    /// libpq's messages end in a line feed and may have more within.
    var oneLine: String {
        lines.filter { !$0.isEmpty }.joined(separator: " ")
    }
}

/// One row of an answer, its values in the format they were asked for.
struct PostgresRow: Sendable {
    /// By column. NULL is absent.
    let values: [String: [UInt8]]

    func bytes(_ column: String) -> [UInt8]? { values[column] }

    func text(_ column: String) throws(UnreadableRecord) -> String {
        guard let text = try optionalText(column) else { throw unreadable(column) }
        return text
    }

    func optionalText(_ column: String) throws(UnreadableRecord) -> String? {
        guard let bytes = values[column] else { return nil }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw unreadable(column) }
        return text
    }

    /// A `bigint` in the binary format.
    func integer(_ column: String) throws(UnreadableRecord) -> Int {
        guard let bytes = values[column], bytes.count == 8 else { throw unreadable(column) }
        return Int(bytes.reduce(into: Int64(0)) { $0 = $0 << 8 | Int64($1) })
    }

    /// A `boolean` in the binary format.
    func boolean(_ column: String) throws(UnreadableRecord) -> Bool {
        guard let bytes = values[column], bytes.count == 1 else { throw unreadable(column) }
        return bytes[0] != 0
    }

    private func unreadable(_ column: String) -> UnreadableRecord {
        let reference = values["merchant_reference"].flatMap { String(validating: $0, as: UTF8.self) }
        return UnreadableRecord(merchantReference: reference ?? "", column: column)
    }
}

/// What the server answered to a statement.
struct PostgresAnswer: Sendable {
    var rows: [PostgresRow] = []
    /// How many rows the statement wrote, or returned.
    var count = 0
}
