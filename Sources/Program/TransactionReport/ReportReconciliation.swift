public import FoundationEssentials
public import PaymentRelay
import PayrelayPrimitives
public import ProcessorModule

/// Compares a transaction report with the journal, in memory that does not grow with either.
public struct ReportReconciliation: Sendable {
    /// A finding, reported while the reconciliation runs: malformed lines first, then differences.
    public enum Finding: Sendable, Equatable {
        /// Lines that could not be read.
        case malformed(lines: ClosedRange<Int>, reason: String)
        case difference(Difference)
    }

    /// Totals of the reconciliation.
    public struct Summary: Sendable, Equatable {
        /// Lines of the report after its header that were read.
        public var lines = 0
        /// Lines that could not be read.
        public var malformedLines = 0
        /// Payments that the report names.
        public var payments = 0
        public var differences: [Difference.Kind: Int] = [:]
        /// The time in which what happened here must be in the report.
        public var from: Date?
        public var until: Date?

        public init() {}

        public var differenceCount: Int { differences.values.reduce(0, +) }
        /// Whether the report could be read whole, and agrees with the journal.
        public var agrees: Bool { malformedLines == 0 && differenceCount == 0 }
    }

    private let form: ReportForm
    private let columns: [ReportColumn: String]
    private let optional: Set<ReportColumn>
    private let delimiter: UInt8?
    private let account: String?
    private let from: Date?
    private let until: Date?
    private let margin: Double
    private let code: @Sendable (String) -> ReportedOutcome?

    /// - Parameters:
    ///   - columns: the header's names of columns that are not to be guessed.
    ///   - hasStatus: whether lines say how they ended; false where all of them succeeded.
    ///   - delimiter: ASCII; nil for the one that the header has most of.
    ///   - account: the account that the report is of; nil for every account.
    ///   - from: what happened here from this moment on must be in the report; nil for the first time in the report.
    ///   - until: the first moment after that; nil for just after the last time in the report.
    ///   - margin: in seconds, how far the clocks of both sides may be apart.
    ///   - code: reads a code in the column of the status: ``ProcessorModule/reportedOutcome(_:)`` of the account's gateway.
    public init(
        form: ReportForm, columns: [ReportColumn: String] = [:], hasStatus: Bool = true, delimiter: UInt8? = nil,
        account: String? = nil, from: Date? = nil, until: Date? = nil, margin: Double = 60,
        code: @escaping @Sendable (String) -> ReportedOutcome?
    ) {
        self.form = form
        self.columns = columns
        optional = hasStatus ? [.date, .command] : [.date, .status]
        self.delimiter = delimiter
        self.account = account
        self.code = code
        self.from = from
        self.until = until
        self.margin = margin
    }

    /// How many payments are looked up, and how many movements listed, at once.
    private static let page = 500

    /// - Parameters:
    ///   - source: returns the report's next bytes, none at the end.
    ///   - history: of an archived payment.
    ///   - found: called with each finding.
    /// - Throws: ``ReportError``, ``ReportColumnsError``, `JournalError`, and what `source` or the temporary database throws.
    public func run(
        over source: @escaping () throws -> [UInt8], against journal: any Journal,
        history: ((Payment) async throws -> [HistoryEntry])? = nil,
        found: (Finding) async throws -> Void
    ) async throws -> Summary {
        var summary = Summary()
        let table = try ReportTable()
        for malformed in try read(source, into: table, &summary) { try await found(malformed) }
        guard let from = summary.from, let until = summary.until else { throw ReportError.noTime }

        func tell(_ difference: Difference) async throws {
            summary.differences[difference.kind, default: 0] += 1
            try await found(.difference(difference))
        }
        var last = ""
        while true {
            let page = try table.payments(after: last, limit: Self.page)
            summary.payments += page.count
            let known = try await recorded(page.map(\.merchantReference), in: journal)
            for reported in page {
                for difference in try await differences(of: reported, known, from, until, journal, history) {
                    try await tell(difference)
                }
            }
            guard let reached = page.last?.merchantReference else { break }
            last = reached
        }

        try await collectUnknown(from: from + margin, until: until - margin, of: journal, into: table)
        last = ""
        while true {
            let page = try table.unknown(after: last, limit: Self.page)
            for payment in page { try await tell(payment.difference) }
            guard let reached = page.last?.merchantReference else { break }
            last = reached
        }
        return summary
    }

    private func recorded(
        _ references: [String], in journal: any Journal
    ) async throws -> [String: Result<Payment, UnreadableRecord>] {
        guard !references.isEmpty else { return [:] }
        var known: [String: Result<Payment, UnreadableRecord>] = [:]
        for result in try await journal.payments(references) {
            switch result {
            case .success(let payment):
                // A reference is an account's own.
                let isOfAccount = account == nil || payment.account == nil || payment.account == account
                if isOfAccount { known[payment.merchantReference] = result }
            case .failure(let record): known[record.merchantReference] = result
            }
        }
        return known
    }

    private func differences(
        of reported: ReportedPayment, _ known: [String: Result<Payment, UnreadableRecord>], _ from: Date,
        _ until: Date, _ journal: any Journal, _ whole: ((Payment) async throws -> [HistoryEntry])?
    ) async throws -> [Difference] {
        let payment: Payment
        switch known[reported.merchantReference] {
        case .success(let found): payment = found
        case .failure: return [reported.difference(.unreadable)]
        case nil: return reported.hasSuccess ? [reported.difference(.unknownHere)] : []
        }
        let differences = PaymentComparison.differences(between: reported, and: payment)
        if differences.isEmpty { return [] }
        // Only what does not agree with the whole needs the history.
        let history =
            if payment.archiveMonth != nil, let whole {
                try await whole(payment)
            } else {
                try await journal.history(of: payment.merchantReference)
            }
        let moved = [0, margin, -margin].map { margin in
            PaymentComparison.moved(in: history, of: payment) { from - margin <= $0.at && $0.at < until + margin }
        }
        return PaymentComparison.differences(between: reported, and: payment, moved: moved)
    }

    private func collectUnknown(
        from start: Date, until end: Date, of journal: any Journal, into table: ReportTable
    ) async throws {
        var place: MovementCursor? = start < end ? MovementCursor(start: start) : nil
        while let from = place {
            let page = try await journal.movements(until: end, after: from, limit: Self.page)
            let ofAccount = page.movements.filter { account == nil || $0.account == nil || $0.account == account }
            try table.keepUnknown(ofAccount.map(UnreportedPayment.init))
            place = page.next
        }
    }

    /// Reads the report into the table.
    ///
    /// - Returns: the lines that could not be read. They are told when the whole report was read, at most so many.
    private func read(
        _ source: @escaping () throws -> [UInt8], into table: ReportTable, _ summary: inout Summary
    ) throws -> [Finding] {
        var (source, delimiter) = (source, self.delimiter)
        if delimiter == nil { (delimiter, source) = try Self.guessDelimiter(source) }
        var csv = CSVReader(delimiter: delimiter ?? UInt8(ascii: ","), source: source)
        guard case .record? = try csv.next() else { throw ReportError.noHeader }
        let header = (0..<csv.fieldCount).map { csv.text($0) }
        guard header.allSatisfy({ $0 != nil }) else { throw ReportError.notUTF8 }
        let lines = ReportLineReader(
            columns: try ReportColumns(header: header.compactMap { $0 }, named: columns, optional: optional),
            form: form,
            code: code)
        guard lines.columns.places[.date] != nil || (from != nil && until != nil) else { throw ReportError.noTime }
        var malformed = MalformedLines()
        var times: ClosedRange<Date>?
        var count = 0
        try table.fill { add in
            while let event = try csv.next() {
                switch event {
                case .malformed(let range, let reason): malformed.add(range, reason)
                case .record(let number):
                    let line: ReportLine
                    do throws(MalformedLine) {
                        line = try lines.line(fieldCount: csv.fieldCount) { csv.text($0) }
                    } catch {
                        malformed.add(number...number, error.reason)
                        continue
                    }
                    if let at = line.at {
                        times = times.map { min($0.lowerBound, at)...max($0.upperBound, at) } ?? at...at
                    }
                    count += 1
                    try add(line, number)
                }
            }
        }
        summary.lines = count
        summary.malformedLines = malformed.count
        summary.from = from ?? times?.lowerBound
        summary.until = until ?? times.map { $0.upperBound + 1 }
        return malformed.findings
    }

    /// The delimiter that the header has most of, and the source from its beginning.
    private static func guessDelimiter(
        _ source: @escaping () throws -> [UInt8]
    ) throws -> (UInt8, () throws -> [UInt8]) {
        let first = try source()
        if first.starts(with: [0xFF, 0xFE]) || first.starts(with: [0xFE, 0xFF]) { throw ReportError.notUTF8 }
        let header = first.prefix { $0 != UInt8(ascii: "\n") }
        let counts = ",;\t|".utf8.map { byte in (byte, header.count { $0 == byte }) }
        let most = counts.max { $0.1 < $1.1 } ?? (UInt8(ascii: ","), 0)
        var isFirst = true
        return (
            most.1 == 0 ? UInt8(ascii: ",") : most.0,
            {
                defer { isFirst = false }
                return isFirst ? first : try source()
            }
        )
    }
}

/// Why a report cannot be compared.
public enum ReportError: Error, Equatable, Sendable, CustomStringConvertible {
    case noHeader
    case notUTF8
    case noTime

    public var description: String {
        switch self {
        case .noHeader: "there is no header"
        case .notUTF8: "it is not UTF-8; export it as CSV in UTF-8"
        case .noTime:
            "the report has no times, so what is missing in it cannot be told: name the date's column, or give --from and --to"
        }
    }
}

/// The lines of a report that could not be read: all are counted, and neighbours with the same reason told as one, so
/// that a report of which no line can be read needs no memory for each.
private struct MalformedLines {
    private var kept: [(lines: ClosedRange<Int>, reason: String)] = []
    private(set) var count = 0
    private static let limit = 10_000

    mutating func add(_ lines: ClosedRange<Int>, _ reason: String) {
        count += lines.count
        if let last = kept.last, last.lines.upperBound + 1 == lines.lowerBound, last.reason == reason {
            kept[kept.count - 1].lines = last.lines.lowerBound...lines.upperBound
        } else if let last = kept.last, kept.count == Self.limit {
            kept[kept.count - 1] = (last.lines.lowerBound...lines.upperBound, "many of these lines cannot be read")
        } else {
            kept.append((lines, reason))
        }
    }

    var findings: [ReportReconciliation.Finding] { kept.map { .malformed(lines: $0.lines, reason: $0.reason) } }
}

extension ReportedPayment {
    fileprivate func difference(_ kind: Difference.Kind) -> Difference {
        let (subject, amount): (Difference.Subject, Int?) =
            hasCharge ? (.charge, charged > 0 ? charged : authorized) : isVoided ? (.void, nil) : (.refund, refunded)
        return Difference(
            kind, merchantReference, line: line, subject, states: (state, nil), amounts: (amount, nil),
            currencies: (currency, nil))
    }
}

extension UnreportedPayment {
    fileprivate init(_ row: RecordedMovement) {
        self.init(merchantReference: row.merchantReference, currency: row.currency)
        switch row.movement.kind {
        case .charged: charged = row.movement.amount.value
        case .refunded: refunded = row.movement.amount.value
        case .voided: voided = row.movement.amount.value
        }
    }

    fileprivate var difference: Difference {
        let (subject, state, amount): (Difference.Subject, String, Int) =
            charged > 0
            ? (.charge, "captured", charged)
            : refunded > 0 ? (.refund, "refunded", refunded) : (.void, "voided", voided)
        return Difference(
            .unknownThere, merchantReference, line: nil, subject, states: (nil, state), amounts: (nil, amount),
            currencies: (nil, currency))
    }
}
