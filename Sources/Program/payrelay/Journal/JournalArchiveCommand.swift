import ArgumentParser
import CommandLineParts
import Composition
import Foundation
import PaymentRelay
import PayrelayPrimitives
import SQLJournal

struct JournalArchiveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "archive",
        abstract: "Move old payments out of the journal, into one SQLite file for each month.",
        discussion: """
            Payments that have not changed since --before, with nothing open, no event or hint waiting, and the customer's data erased \
            (`payrelay forget`, PAYRELAY_RETENTION_DAYS: the erasure is a change too), move to the file of the month in which they were \
            made. The journal keeps the reference, the token's digest, the outcome and the movements of money: the reference and the token \
            stay refused, and sums stay as they are. What is archived cannot be refunded here any more. It may run beside the relay, of \
            either database. If it is killed, nothing is lost; run it again. PAYRELAY_ARCHIVE_AFTER_DAYS does it daily. Back the files up.

            Exit status: 0 all that can move has moved, 1 not.
            """)

    @OptionGroup var options: ConfigurationOptions

    @Option(help: "A date, 2026-01-31, or a moment, at least \(ArchiveAge.days.lowerBound) days ago.")
    var before: DayOrMoment

    @Option(help: "The directory of the files. (default: PAYRELAY_ARCHIVE_DIRECTORY)", completion: .directory)
    var into: String?

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        guard before.start() <= Date() - Double(ArchiveAge.days.lowerBound) * 86_400 else {
            throw UsageError(
                "--before is less than \(ArchiveAge.days.lowerBound) days ago: payments may still be refunded or disputed"
            )
        }
    }

    func run() async throws {
        let configuration = try options.configuration()
        guard let archive = into.map({ PaymentArchive(directory: $0) }) ?? configuration.archive else {
            throw UsageError("name a directory: --into, or PAYRELAY_ARCHIVE_DIRECTORY")
        }
        let progress = ProgressLine()
        do {
            let done = try await archive.takeOver(from: configuration.journal.attach(), before: before.start()) {
                done in
                if progress.isDue() { progress.write("archived: \(done.moved.counting("payment"))", stays: false) }
            }
            guard !json else {
                let files = done.months.sorted().map { JSON.string(archive.path(of: $0)) }
                let result: JSONObject = [
                    "archived": JSON(done.moved), "kept": JSON(done.kept), "files": .array(files),
                ]
                return say(JSON.object(result).terminalText)
            }
            say("archived \(done.moved.counting("payment"))")
            for month in done.months.sorted() { say(archive.path(of: month).terminalText) }
            if done.kept > 0 { say("\(done.kept) changed meanwhile and stay") }
        } catch {
            throw failure("not everything was archived: \(error)".terminalText, status: .no)
        }
    }
}
