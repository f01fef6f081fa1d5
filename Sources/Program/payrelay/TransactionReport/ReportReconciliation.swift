import FoundationEssentials
import GatewayModule
import PaymentRelay
import PayrelayPrimitives

/// Compares a transaction report with the journal. Its memory does not grow with either of them.
struct ReportReconciliation: Sendable {
    /// A finding, which is reported while the reconciliation runs: first the malformed lines, then the
    /// differences.
    enum Finding: Sendable, Equatable {
        /// Lines that could not be read.
        case malformed(lines: ClosedRange<Int>, reason: String)
        case difference(Difference)
    }

    /// The totals of the reconciliation.
    struct Summary: Sendable, Equatable {
        /// The number of lines that were read, without the header.
        var lines = 0
        /// The number of lines that could not be read.
        var malformedLines = 0
        /// The number of payments in the report.
        var payments = 0
        var differences: [Difference.Kind: Int] = [:]
        /// The compared period.
        var from: Date?
        var until: Date?

        init() {}

        var differenceCount: Int { differences.values.reduce(0, +) }
        /// Whether the whole report could be read and agrees with the journal.
        var agrees: Bool { malformedLines == 0 && differenceCount == 0 }
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
    ///   - columns: the header's names for columns that must not be guessed.
    ///   - hasStatus: whether lines have a status; false if all lines succeeded.
    ///   - delimiter: the delimiter, an ASCII character; `nil` for the one that is most frequent in the header.
    ///   - account: the account of the report; `nil` for every account.
    ///   - from: the beginning of the compared period; `nil` for the first time in the report.
    ///   - until: the end of the compared period, exclusive; `nil` for just after the last time in the report.
    ///   - margin: the maximum difference between the clocks of both sides, in seconds.
    ///   - code: reads a status: the ``GatewayModule/reportedOutcome(_:)`` of the account's gateway.
    init(
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

    /// The number of payments that are looked up, and of movements that are listed, at once.
    private static let page = 500

    /// Compares a report with the journal.
    ///
    /// - Parameters:
    ///   - source: returns the next bytes of the report; no bytes at the end.
    ///   - archive: reads an archived payment; `nil` if the archive's directory is not known.
    ///   - found: called with each finding.
    /// - Throws: ``ReportError``, ``ReportColumnsError``, `JournalError`, and the errors of `source` and of the
    ///   temporary database.
    func run(
        over source: @escaping () throws -> [UInt8], against journal: any Journal,
        archive: ArchiveReader? = nil,
        found: (Finding) async throws -> Void
    ) async throws -> Summary {
        var summary = Summary()
        let table = try ReportTable()
        for malformed in try read(source, into: table, &summary) { try await found(malformed) }
        guard let from = summary.from, let until = summary.until else { throw ReportError.noTime }

        let period = from..<max(from, until)
        try await collectMovements(of: journal, in: period, into: table)
        summary.payments = try table.paymentCount

        func report(_ difference: Difference) async throws {
            summary.differences[difference.kind, default: 0] += 1
            try await found(.difference(difference))
        }
        var last: ReportedPayment?
        while true {
            let page = try table.payments(after: last, limit: Self.page)
            let known = try await recorded(page.map(\.merchantReference), in: journal)
            for reported in page {
                let record = known[reported.merchantReference]
                let moved = try table.moved(of: reported.merchantReference)
                for difference in try await differences(of: reported, record, moved, in: period, journal, archive) {
                    try await report(difference)
                }
            }
            guard let reached = page.last else { break }
            last = reached
        }

        var reference = ""
        while true {
            let page = try table.unknown(after: reference, limit: Self.page)
            let known = try await recorded(page.map(\.merchantReference), in: journal)
            for payment in page {
                let record = known[payment.merchantReference]
                if let difference = try await difference(of: payment, record, in: period, journal, archive) {
                    try await report(difference)
                }
            }
            guard let reached = page.last?.merchantReference else { break }
            reference = reached
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
                // The same reference may exist at another account.
                let isOfAccount = account == nil || payment.account == nil || payment.account == account
                if isOfAccount { known[payment.merchantReference] = result }
            case .failure(let record): known[record.merchantReference] = result
            }
        }
        return known
    }

    /// Reads an archived payment with its history.
    typealias ArchiveReader = @Sendable (Payment) async throws -> (payment: Payment, history: [HistoryEntry])

    private func differences(
        of reported: ReportedPayment, _ record: Result<Payment, UnreadableRecord>?, _ moved: Moved,
        in period: Range<Date>, _ journal: any Journal, _ archive: ArchiveReader?
    ) async throws -> [Difference] {
        if reported.isOutside { return reported.hasSuccess ? [reported.difference(.otherTime)] : [] }
        let payment: Payment
        switch record {
        case .success(let found): payment = found
        case .failure: return [reported.difference(.unreadable)]
        case nil: return reported.hasSuccess ? [reported.difference(.unknownHere)] : []
        }
        var moved = moved
        // An authorization moves no money, so it is not among the journal's movements.
        let isClaimedInTime =
            payment.claimedAt >= period.lowerBound - margin && payment.claimedAt < period.upperBound + margin
        if isClaimedInTime { moved.authorized = payment.amount.value }
        let differences = PaymentComparison.differences(between: reported, and: payment, moved: moved)
        if differences.isEmpty { return [] }
        // The history is needed only if the payment differs by the journal's times.
        let (whole, history): (Payment, [HistoryEntry])
        switch try await self.history(of: payment, journal, archive) {
        case .success(let found): (whole, history) = found
        case .failure(let failure): return [reported.difference(.notComparable, because: failure.reason)]
        }
        return PaymentComparison.differences(
            between: reported, and: payment, moved: moved,
            or: PaymentComparison.possibleSums(
                of: PaymentComparison.movements(in: history, of: whole), in: period, margin: margin))
    }

    /// Returns the difference for a payment without a line in the period; `nil` if it may have moved nothing in
    /// the period.
    private func difference(
        of payment: UnreportedPayment, _ record: Result<Payment, UnreadableRecord>?, in period: Range<Date>,
        _ journal: any Journal, _ archive: ArchiveReader?
    ) async throws -> Difference? {
        // A payment that was claimed in the period cannot have moved money before it.
        guard case .success(let known) = record, known.claimedAt < period.lowerBound + margin else {
            return payment.difference(.unknownThere)
        }
        switch try await history(of: known, journal, archive) {
        case .failure(let failure): return payment.difference(.notComparable, because: failure.reason)
        case .success((let whole, let history)):
            let movements = PaymentComparison.movements(in: history, of: whole)
            let sums = PaymentComparison.possibleSums(of: movements, in: period, margin: margin)
            let mayBeElsewhere = sums.contains { $0.charged == 0 && $0.refunded == 0 && $0.voided == 0 }
            return mayBeElsewhere ? nil : payment.difference(.unknownThere)
        }
    }

    /// Why the history of an archived payment could not be read.
    private struct ArchiveFailure: Error {
        let reason: String
    }

    private func history(
        of payment: Payment, _ journal: any Journal, _ archive: ArchiveReader?
    ) async throws -> Result<(Payment, [HistoryEntry]), ArchiveFailure> {
        guard let month = payment.archiveMonth else {
            return .success((payment, try await journal.history(of: payment.merchantReference)))
        }
        let cause: String
        if let archive {
            do {
                return .success(try await archive(payment))
            } catch let error as CancellationError {
                throw error
            } catch {
                cause = "\(error)"
            }
        } else {
            cause = "give --archive"
        }
        return .failure(ArchiveFailure(reason: "cannot be compared: archived in \(month), \(cause)"))
    }

    private func collectMovements(
        of journal: any Journal, in period: Range<Date>, into table: ReportTable
    ) async throws {
        let (start, end) = (period.lowerBound + margin, period.upperBound - margin)
        var place: MovementCursor? = period.isEmpty ? nil : MovementCursor(start: period.lowerBound)
        while let from = place {
            let page = try await journal.movements(until: period.upperBound, after: from, limit: Self.page)
            let ofAccount = page.movements.filter { account == nil || $0.account == nil || $0.account == account }
            try table.keep(ofAccount) { $0.at < start || $0.at >= end }
            place = page.next
        }
        try table.indexMovements()
    }

    /// Reads the report into the table.
    ///
    /// - Returns: the lines that could not be read.
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
        var times: Range<Date>?
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
                        times =
                            times.map {
                                min($0.lowerBound, at.lowerBound)..<max($0.upperBound, at.upperBound)
                            } ?? at
                    }
                    count += 1
                    try add(line, number, line.at.map(isOutside) ?? false)
                }
            }
        }
        summary.lines = count
        summary.malformedLines = malformed.count
        summary.from = from ?? times?.lowerBound
        summary.until = until ?? times?.upperBound
        return malformed.findings
    }

    /// Returns whether a time of the report is certainly outside the period, if the caller named one.
    private func isOutside(_ span: Range<Date>) -> Bool {
        from.map { span.upperBound <= $0 - margin } ?? false || until.map { span.lowerBound >= $0 + margin } ?? false
    }

    /// Returns the most frequent delimiter of the header, and the source from its beginning.
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
enum ReportError: Error, Equatable, Sendable, CustomStringConvertible {
    case noHeader
    case notUTF8
    case noTime

    var description: String {
        switch self {
        case .noHeader: "there is no header"
        case .notUTF8: "it is not UTF-8; export it as CSV in UTF-8"
        case .noTime:
            "the report has no times: name the date's column with --column date=NAME, or give --from and --to"
        }
    }
}

/// The lines of a report that could not be read. All are counted. Adjacent lines with the same reason are
/// reported as one, so that a report without any readable line does not need memory for each line.
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
    fileprivate func difference(_ kind: Difference.Kind, because reason: String? = nil) -> Difference {
        let (subject, amount): (Difference.Subject, Int?) =
            hasCharge ? (.charge, charged > 0 ? charged : authorized) : isVoided ? (.void, nil) : (.refund, refunded)
        return Difference(
            kind, merchantReference, line: line, subject, states: (state, nil), amounts: (amount, nil),
            currencies: (currency, nil), reason: reason)
    }
}

extension UnreportedPayment {
    fileprivate func difference(_ kind: Difference.Kind, because reason: String? = nil) -> Difference {
        let (subject, state, amount): (Difference.Subject, String, Int) =
            moved.charged > 0
            ? (.charge, "captured", moved.charged)
            : moved.refunded > 0 ? (.refund, "refunded", moved.refunded) : (.void, "voided", moved.voided)
        return Difference(
            kind, merchantReference, line: nil, subject, states: (nil, state), amounts: (nil, amount),
            currencies: (nil, currency), reason: reason)
    }
}
