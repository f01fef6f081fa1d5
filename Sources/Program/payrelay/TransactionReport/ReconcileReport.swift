public import ArgumentParser
import CommandLineParts
import Composition
import Foundation
import GatewayModule
import Logging
import PaymentRelay
public import PayrelayPrimitives

struct ReconcileReport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Compare a transaction report of a gateway's dashboard with the journal.",
        discussion: """
            The report is CSV with a header, and of any length. No public document fixes its columns: they are guessed by \
            their names, and --column names those that are not found. The journal is only read, beside a running relay too.

            What moved between --from and --to is compared. What the report has: 'unknown_here' succeeded there and is not \
            in the journal; 'operation_unknown_here' is a capture, void or refund that the journal does not have; \
            'other_time' is in the journal at another time; 'amount', 'currency' and 'state' differ. What it lacks: \
            'unknown_there' moved money here. See docs/settlement-and-reports.md.

            Exit status: 0 both agree, 1 something differs or a line cannot be read, 64 wrong usage, 65 the report cannot \
            be read.
            """)

    @OptionGroup var options: ConfigurationOptions

    @Argument(help: "The report; - is standard input.", completion: .file())
    var file: String

    @Option(
        name: .customLong("column"),
        help: ArgumentHelp(
            "A column by its name in the header, such as amount=\"Amount (AED)\": \(ReportColumn.names). Repeat it for each.",
            valueName: "column=name"))
    var columns: [NamedColumn] = []

    @Flag(help: "The report has no status: every line succeeded.")
    var allSucceeded = false

    @Option(help: "The unit of amounts: major (100.00) or minor (10000).")
    var amounts = ReportForm.AmountUnit.major

    @Option(help: "The separator between thousands, such as ','. Default: nothing.")
    var thousands: SingleCharacter?

    @Option(help: "The order of a date's parts: ymd, dmy or mdy.")
    var dates = ReportForm.DateOrder.yearMonthDay

    @Option(help: "The offset from UTC of times that name none, --from and --to too: Z or, for example, +04:00.")
    var zone = UTCOffset.utc

    @Option(help: "The separator between fields. Default: the most frequent of , ; | and tab in the header.")
    var delimiter: SingleCharacter?

    @Option(help: "The merchant's name of the account that the report is of. Needed if there are several.")
    var account: String?

    @Option(help: "Beginning of the compared period, a day or a moment. Default: the report's first time.")
    var from: DayOrMoment?

    @Option(help: "End of the compared period (exclusive). Default: just after the report's last time.")
    var to: DayOrMoment?

    @Option(
        help: ArgumentHelp(
            "How far the gateway's clock and this service's may be apart: movements so near an end may be missing.",
            valueName: "duration"),
        transform: { try TimeSpan(parsing: $0) })
    var margin: TimeSpan = "60s"

    @Option(help: "The directory of the archive. (default: PAYRELAY_ARCHIVE_DIRECTORY)", completion: .directory)
    var archive: String?

    @Flag(help: "Ask the gateway about each payment that differs, and record its verified answer.")
    var adopt = false

    @Flag(help: "Print one JSON object a line.")
    var json = false

    @Flag(help: "Print CSV.")
    var csv = false

    func validate() throws {
        if json && csv { throw UsageError("--json and --csv are two forms; choose one.") }
        if Set(columns.map(\.column)).count < columns.count { throw UsageError("--column names a column twice.") }
        if let from, let to, from.start(at: zone) >= to.start(at: zone) {
            throw UsageError("--from is not before --to.")
        }
    }

    func run() async throws {
        let configuration = try options.configuration()
        let names = configuration.modules.flatMap(\.accounts).map(\.name)
        if let account, !names.contains(account) {
            throw UsageError(
                "There is no account \(account.debugDescription); there are: \(names.joined(separator: ", ")).")
        }
        if account == nil, names.count > 1 {
            throw UsageError("A report is of one account: add --account with one of \(names.joined(separator: ", ")).")
        }
        let gateway = configuration.modules.first { module in
            account == nil || module.accounts.contains { $0.name == account }
        }
        let form = ReportForm(
            amounts: amounts, thousands: thousands.map { Unicode.Scalar($0.ascii) }, dates: dates, zone: zone)
        let reconciliation = ReportReconciliation(
            form: form, columns: Dictionary(columns.map { ($0.column, $0.name) }) { first, _ in first },
            hasStatus: !allSucceeded, delimiter: delimiter?.ascii, account: names.count > 1 ? account : nil,
            from: from?.start(at: zone), until: to?.start(at: zone), margin: margin.value.milliseconds / 1_000,
            code: { digits in gateway.flatMap { type(of: $0).reportedOutcome(digits) } })
        let report = try openReport()
        let output = ReportOutput(form: json ? .json : csv ? .csv : .text)
        let summary: ReportReconciliation.Summary
        do {
            let journal = try await configuration.journal.attach()
            let archive = archive.map { PaymentArchive(directory: $0) } ?? configuration.archive
            let detached =
                adopt
                ? try DetachedRelay(
                    configuration, journal: journal,
                    logger: Logger(label: "payrelay") { StreamLogHandler.standardError(label: $0) }) : nil
            defer { detached?.shutdown() }
            output.begin()
            summary = try await reconciliation.run(
                over: { Array(try report.read(upToCount: 1 << 18) ?? Data()) }, against: journal,
                archive: archive.map { reader(of: $0, beside: journal) }
            ) { finding in
                switch finding {
                case .malformed(let lines, let reason): output.write(MalformedLinesText(lines: lines, reason: reason))
                case .difference(let difference):
                    output.write(difference, outcome: try await detached?.relay.adopt(difference))
                }
            }
        } catch let error as ReportError {
            throw failure("\(file): \(error)", status: .data)
        } catch let error as ReportColumnsError {
            throw failure("\(file): \(error)", status: .data)
        } catch {
            throw failure("the report cannot be compared: \(error)", status: .no)
        }
        output.end(summary)
        if !summary.agrees { throw ExitCode(ExitStatus.no.rawValue) }
    }

    private func reader(
        of archive: PaymentArchive, beside journal: any Journal
    ) -> ReportReconciliation.ArchiveReader {
        { payment in
            let whole = try await archive.whole(payment, in: journal)
            return (whole.payment, whole.history)
        }
    }

    private func openReport() throws -> FileHandle {
        if file == "-" { return .standardInput }
        do {
            return try FileHandle(forReadingFrom: URL(fileURLWithPath: file))
        } catch {
            throw failure("\(file) cannot be read: \(UnreadableFile(error))", status: .data)
        }
    }
}

/// Writes findings to standard output as they come.
private struct ReportOutput {
    enum Form { case text, json, csv }

    let form: Form

    func begin() {
        switch form {
        case .text: say(Difference.textHeader)
        case .csv: say(Difference.csvHeader)
        case .json: break
        }
    }

    func write(_ lines: MalformedLinesText) {
        switch form {
        case .text: say(lines.text)
        case .csv: say(lines.csv)
        case .json: say(String(decoding: lines.json.encoded(), as: UTF8.self))
        }
    }

    func write(_ difference: Difference, outcome: String?) {
        switch form {
        case .text: say(difference.text(outcome: outcome))
        case .csv: say(difference.csv(outcome: outcome))
        case .json: say(String(decoding: difference.json(outcome: outcome).encoded(), as: UTF8.self))
        }
    }

    /// Writes the last line. CSV has none, so that every record is a finding.
    func end(_ summary: ReportReconciliation.Summary) {
        switch form {
        case .text:
            let (from, until) = (summary.from?.rfc3339 ?? "-", summary.until?.rfc3339 ?? "-")
            say(
                "\(summary.lines) lines read, \(summary.malformedLines) not; \(summary.payments) payments; \(from) to \(until)"
            )
            let counts = Difference.Kind.allCases.compactMap { kind in
                summary.differences[kind].map { "\($0) \(kind.rawValue)" }
            }
            say(
                counts.isEmpty
                    ? "no differences"
                    : "\(summary.differenceCount) difference\(summary.differenceCount == 1 ? "" : "s"): "
                        + counts.joined(separator: ", "))
        case .json:
            var counts: JSONObject = [:]
            for kind in Difference.Kind.allCases { counts[kind.rawValue] = JSON(summary.differences[kind] ?? 0) }
            var json: JSONObject = [
                "lines": JSON(summary.lines), "malformed_lines": JSON(summary.malformedLines),
                "payments": JSON(summary.payments), "differences": .object(counts),
            ]
            json["from"] = summary.from.map { .string($0.rfc3339) }
            json["until"] = summary.until.map { .string($0.rfc3339) }
            say(String(decoding: JSON.object(["summary": .object(json)]).encoded(), as: UTF8.self))
        case .csv: break
        }
    }
}

extension PaymentRelay {
    /// Queries the gateway about the payment.
    ///
    /// - Returns: the payment's state in the journal afterwards, or why there was no answer.
    fileprivate func adopt(_ difference: Difference) async throws -> String {
        guard difference.kind != .unreadable else { return "not queried: the record cannot be read" }
        // A payment with this reference in the journal may belong to another account.
        guard difference.kind != .unknownHere,
            let asked = try await queryGateway(about: difference.merchantReference, by: .report),
            let payment = try await payment(difference.merchantReference)
        else { return "not queried: the journal has no such payment" }
        if let reason = asked.reasonOfSilence { return "not answered: \(reason)" }
        if asked == .requestUnderWay { return "not queried: a request about it is on its way" }
        let balance = payment.balance
        return
            "\(payment.isOpen ? "uncertain" : payment.state.rawValue), captured \(balance.captured), refunded \(balance.refunded)"
    }
}

/// The value of `--column`, such as `--column amount="Amount (AED)"`.
struct NamedColumn: ExpressibleByArgument {
    let column: ReportColumn
    let name: String

    init?(argument: String) {
        let parts = argument.parts(at: "=", max: 2)
        guard parts.count == 2, let column = ReportColumn(rawValue: String(parts[0])) else { return nil }
        self.column = column
        name = String(parts[1])
    }
}

/// One ASCII character on the command line; `\t` is a tab.
struct SingleCharacter: ExpressibleByArgument {
    let ascii: UInt8

    init?(argument: String) {
        let text = argument == "\\t" ? "\t" : argument
        guard text.utf8.count == 1, let ascii = text.utf8.first, ascii < 0x80, !ascii.isASCIILetter,
            !ascii.isASCIIDigit, !"\"\n\r".utf8.contains(ascii)
        else { return nil }
        self.ascii = ascii
    }
}

extension ReportColumn {
    fileprivate static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }
}

extension ReportForm.AmountUnit: ExpressibleByArgument {}
extension ReportForm.DateOrder: ExpressibleByArgument {}

extension UTCOffset: ExpressibleByArgument {
    public init?(argument: String) {
        self.init(parsing: argument)
    }

    public var defaultValueDescription: String { description }
}
