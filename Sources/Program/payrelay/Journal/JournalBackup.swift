import ArgumentParser
import CommandLineParts
import Composition
import Foundation
import PayrelayPrimitives
import SQLJournal

struct JournalBackup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copy a SQLite journal to a file, while the relay runs.",
        discussion: """
            The journal is only read: the file holds one state of it, with mode 0600. It is checked before it gets its name: \
            SQLite's integrity check, the rows of each table, and the last entry of the history. If the command is killed, there is \
            no file of that name; run it again. A PostgreSQL is backed up with its own tools.

            Exit status: 0 the backup is whole, 1 there is none.
            """)

    @OptionGroup var options: ConfigurationOptions

    @Flag(help: "Print JSON.")
    var json = false

    @Argument(help: "Where to write it. An existing file is not overwritten.", completion: .file())
    var file: String

    func run() async throws {
        let place = try options.journal()
        let progress = WorkProgress()
        do {
            let contents = try place.backUp(to: file) { progress.show("copying", done: $0, of: $1, "pages") }
            contents.sayFigures(asJSON: json)
        } catch {
            throw failure("there is no backup: \(error)", status: .no)
        }
        if !json { say("backed up to \(file.terminalText)") }
    }
}
