import PayrelayPrimitives

/// The content of a report's column. The raw value is its name in options and messages.
enum ReportColumn: String, CaseIterable, Sendable {
    case merchantReference = "merchant_reference"
    case amount
    case currency
    /// The operation: a purchase, an authorization, a capture, a void or a refund.
    case command
    /// The operation's result: a code of the gateway, or a word.
    case status
    case date

    /// The names by which the column is recognized, without spaces and punctuation. FORT's and Portmone's names
    /// (`shopOrderNumber`, `billAmount`, `billCurrency`, `pay_date`) come first. No public document defines the
    /// names in a report.
    var names: [String] {
        switch self {
        case .merchantReference:
            [
                "merchantreference", "merchantref", "merchantreferenceid", "shopordernumber", "orderreference",
                "orderid",
            ]
        case .amount: ["amount", "billamount", "transactionamount", "orderamount"]
        case .currency: ["currency", "billcurrency", "currencycode", "transactioncurrency"]
        case .command: ["command", "operation", "operationtype", "transactiontype", "type"]
        case .status: ["status", "responsecode", "transactionstatus", "response", "result"]
        case .date:
            [
                "date", "datetime", "paydate", "transactiondate", "transactiondatetime", "transactiontime",
                "creationdate",
                "createdat", "time", "timestamp",
            ]
        }
    }
}

/// The mapping from the columns of a report to their contents.
struct ReportColumns: Sendable, Equatable {
    /// The index of each column, counted from 0.
    let places: [ReportColumn: Int]
    /// The number of fields of each record.
    let count: Int

    /// - Parameters:
    ///   - header: the report's first record.
    ///   - named: the header's names for columns that must not be guessed.
    ///   - optional: the columns that the report need not have.
    /// - Throws: ``ReportColumnsError`` if a column is missing or ambiguous.
    init(
        header: [String], named: [ReportColumn: String] = [:], optional: Set<ReportColumn> = [.date]
    ) throws(ReportColumnsError) {
        let header = header.map { String($0.trimmed) }
        let plain = header.map {
            String(decoding: $0.lowercasedASCII.utf8.filter { $0.isASCIILetter || $0.isASCIIDigit }, as: UTF8.self)
        }
        var places: [ReportColumn: Int] = [:]
        for column in ReportColumn.allCases {
            let found: [Int]
            if let name = named[column] {
                found = header.indices.filter { header[$0].isExactly(name.trimmed) }
                if found.isEmpty { throw .noSuchColumn(column, name: name) }
            } else {
                found =
                    column.names.lazy.map { name in plain.indices.filter { plain[$0] == name } }.first { !$0.isEmpty }
                    ?? []
            }
            guard found.count < 2 else { throw .repeated(column, name: header[found[0]]) }
            if let place = found.first {
                places[column] = place
            } else if !optional.contains(column) {
                throw .missing(column, header: header)
            }
        }
        self.places = places
        count = header.count
    }
}

/// Why the columns of a report cannot be determined.
enum ReportColumnsError: Error, Equatable, Sendable, CustomStringConvertible {
    case missing(ReportColumn, header: [String])
    case noSuchColumn(ReportColumn, name: String)
    case repeated(ReportColumn, name: String)

    var description: String {
        switch self {
        case .missing(let column, let header):
            "no column is known as the \(column.rawValue); name it with --column \(column.rawValue)=NAME. "
                + "The report has: \(header.prefix(40).map(\.debugDescription).joined(separator: ", "))"
        case .noSuchColumn(let column, let name):
            "the report has no column \(name.debugDescription) for the \(column.rawValue)"
        case .repeated(let column, let name):
            "two columns are called \(name.debugDescription), and one is to be the \(column.rawValue)"
        }
    }
}
