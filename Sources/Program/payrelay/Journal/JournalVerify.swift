import ArgumentParser
import CommandLineParts
import Composition
import Foundation
import PayrelayPrimitives
import SQLJournal

struct JournalVerify: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Read a whole journal, or a backup, and check it.",
        discussion: """
            Checks the file (SQLite), the version of the tables, that every payment can be read, that payments, histories and books agree, \
            and that a backup holds what it held when it was made. Prints the rows of each table, totals by outcome and currency, and a \
            digest over every row, which is the same for the same journal in SQLite and in PostgreSQL. It only reads, and may run beside \
            the relay.

            Exit status: 0 the journal is in order, 1 it is not, or cannot be read.
            """)

    @OptionGroup var options: ConfigurationOptions

    @Flag(help: "Print JSON.")
    var json = false

    @Argument(help: "A SQLite file, or a postgres:// URL. (default: the configured journal)", completion: .file())
    var journal: JournalPlace?

    func run() async throws {
        let place = try options.place(journal)
        let progress = WorkProgress()
        let check: JournalVerification
        do {
            check = try JournalVerification(of: place.snapshot()) {
                progress.show("reading", done: $0.done, of: $0.all, "rows")
            }
        } catch {
            throw failure("the journal is not in order: \(error)".terminalText, status: .no)
        }
        if json {
            var figures = check.contents.figures
            figures["in_order"] = .bool(check.findings.isEmpty)
            figures["is_backup"] = .bool(check.isBackup)
            figures["findings"] = .array(check.findings.map { .string($0) })
            say(JSON.object(figures).terminalText)
            if !check.findings.isEmpty { throw ExitCode(ExitStatus.no.rawValue) }
            return
        }
        check.contents.sayFigures()
        for finding in check.findings { say(finding.terminalText) }
        guard check.findings.isEmpty else { throw ExitCode(ExitStatus.no.rawValue) }
        say("in order" + (check.isBackup ? ", and as it was backed up" : ""))
    }
}
