import Crypto
import PaymentRelay
import PayrelayPrimitives

/// The contents of a journal, all of it read: figures that are equal if two journals are equal.
public struct JournalContents: Sendable, Equatable {
    /// The totals of the payments in one state and one currency.
    public struct Total: Sendable, Equatable {
        public var payments = 0
        /// The sum of the amounts, in minor units. No number of payments exceeds the type's range.
        public var amount: Int128 = 0
        public var captured: Int128 = 0
        public var refunded: Int128 = 0
    }

    public struct Group: Sendable, Hashable, Comparable {
        public let state: String
        public let currency: String

        public static func < (left: Group, right: Group) -> Bool {
            (left.currency, left.state) < (right.currency, right.state)
        }
    }

    /// The number of rows of each table, in the schema's order.
    public internal(set) var rows: [(table: String, count: Int)] = []
    /// The totals of the payments that can be read.
    public internal(set) var totals: [Group: Total] = [:]
    /// SHA-256 over every value of every row, in the order of the primary keys: the same in both databases.
    public internal(set) var digest: [UInt8] = []
    /// The digest in hex.
    public var digestText: String { digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
    /// The number of records that no version of payrelay wrote.
    public internal(set) var unreadable = 0
    /// The first record that no version of payrelay wrote; `nil` if every record can be read.
    public internal(set) var firstUnreadable: UnreadableRow?

    public static func == (left: JournalContents, right: JournalContents) -> Bool {
        left.digest == right.digest && left.totals == right.totals && left.rows.elementsEqual(right.rows, by: ==)
    }
}

/// The progress of a reading or a copy of a journal.
public struct JournalProgress: Sendable {
    public let table: String
    /// The number of rows so far, over all tables.
    public let done: Int
    public let all: Int
}

extension JournalContents {
    /// Reads a whole journal, a page at a time.
    ///
    /// - Parameter session: a session in a transaction that sees one state of the database, if others write in the
    ///   meantime.
    /// - Throws: ``UnreadableRow`` if a journal cannot have a value that is found, and the database's own errors.
    public init(
        of session: any TableSession, tables: [JournalTable] = Schema.tables,
        progress: (JournalProgress) -> Void = { _ in }
    ) throws {
        var reading = ContentsReading()
        let all = try Self.countRows(of: session, tables)
        for table in tables {
            reading.begin(table)
            var reader = TableReader(table, of: session)
            while case let page = try reader.next(), !page.isEmpty {
                for (row, values) in page { reading.add(row, values) }
                progress(JournalProgress(table: table.name, done: reading.count, all: all))
            }
        }
        self = reading.contents
    }

    static func countRows(of session: any TableSession, _ tables: [JournalTable]) throws -> Int {
        try tables.reduce(0) { try $0 + (session.number("SELECT count(*) FROM \($1.name)") ?? 0) }
    }
}

/// The figures, while rows are added to them.
struct ContentsReading {
    private var hash = SHA256()
    private var figures = JournalContents()
    private var table: JournalTable?
    private var buffer: [UInt8] = []
    /// The number of rows so far.
    private(set) var count = 0

    var contents: JournalContents {
        var figures = figures
        figures.digest = Array(hash.finalize())
        return figures
    }

    mutating func begin(_ table: JournalTable) {
        self.table = table
        figures.rows.append((table.name, 0))
        buffer.removeAll(keepingCapacity: true)
        for name in [table.name] + table.columns.map(\.name) { buffer.append(text: name) }
        hash.update(data: buffer)
    }

    mutating func add(_ row: Row, _ values: [Value]) {
        guard let table else { return }
        count += 1
        figures.rows[figures.rows.count - 1].count += 1
        buffer.removeAll(keepingCapacity: true)
        for value in values { buffer.append(value) }
        hash.update(data: buffer)
        if let column = table.columnThatCannotBeRead(in: row) {
            figures.unreadable += 1
            figures.firstUnreadable =
                figures.firstUnreadable ?? UnreadableRow(table: table.name, key: table.keyText(of: row), column: column)
        } else if table.name == "payment", let payment = try? Payment(row: row) {
            figures.totals[.init(state: payment.state.rawValue, currency: payment.currency), default: .init()]
                .add(payment)
        }
    }
}

extension JournalContents.Total {
    fileprivate mutating func add(_ payment: Payment) {
        payments += 1
        amount += Int128(payment.amount.value)
        captured += Int128(payment.balance.captured.value)
        refunded += Int128(payment.balance.refunded.value)
    }
}

extension JournalTable {
    /// Returns the column because of which this version of the code cannot read the row; `nil` if it can read the
    /// row.
    fileprivate func columnThatCannotBeRead(in row: Row) -> String? {
        do throws(UnreadableRecord) {
            switch name {
            case "payment": _ = try Payment(row: row)
            case "history": _ = try HistoryEntry(row: row, of: row.reference)
            case "movement": _ = try RecordedMovement(row: row)
            default: break
            }
            return nil
        } catch {
            return error.column
        }
    }
}

extension [UInt8] {
    /// Appends a value. Each begins with its type and, if its length varies, with its length, so that two different
    /// rows cannot have the same bytes.
    fileprivate mutating func append(_ value: Value) {
        switch value {
        case .integer(nil), .text(nil), .bytes(nil): append(0)
        case .integer(let integer?):
            append(1)
            append(number: integer)
        case .text(let text?):
            append(2)
            append(text: text)
        case .bytes(let bytes?):
            append(3)
            append(number: bytes.count)
            append(contentsOf: bytes)
        }
    }

    fileprivate mutating func append(text: String) {
        append(number: text.utf8.count)
        append(contentsOf: text.utf8)
    }

    private mutating func append(number: Int) {
        Swift.withUnsafeBytes(of: Int64(number).bigEndian) { append(contentsOf: $0) }
    }
}
