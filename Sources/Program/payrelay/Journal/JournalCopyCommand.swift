import ArgumentParser
import CommandLineParts
import Composition
import Foundation
import PayrelayPrimitives
import SQLJournal

struct JournalCopyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy",
        abstract: "Copy a journal between SQLite and PostgreSQL, in either direction.",
        discussion: """
            No relay may use either journal. The target is absent or empty, or an earlier copy that was interrupted: then it goes on where \
            that ended. Until both were compared row by row, no relay starts on the target. Let libpq read the password of a PostgreSQL \
            from PGPASSFILE: others on the machine can see the command line.

            Exit status: 0 both are equal, 1 they are not, and the reason is named.
            """)

    @Flag(help: "Print JSON.")
    var json = false

    @Argument(help: "A SQLite file, or a postgres:// URL.", completion: .file())
    var from: JournalPlace

    @Argument(help: "A SQLite file, or a postgres:// URL.", completion: .file())
    var to: JournalPlace

    func run() async throws {
        try Self.copy(from: from, to: to, asJSON: json)
        if !json { say("copied") }
    }

    static func copy(from source: JournalPlace, to target: JournalPlace, asJSON: Bool) throws {
        guard source != target else {
            throw failure("the journal cannot be copied onto itself", status: .no)
        }
        let progress = WorkProgress()
        do {
            let copy = try JournalCopy(from: source.source(), to: target.target()) { step, phase in
                progress.show(
                    phase == .copying ? "copying" : "comparing", done: step.done, of: step.all, "rows")
            }
            try copy.run().sayFigures(asJSON: asJSON)
        } catch {
            throw failure("the copy is not finished: \(error)".terminalText, status: .no)
        }
    }
}
