import ArgumentParser
import CommandLineParts
import Composition
import Foundation
import PayrelayPrimitives
import SQLJournal

struct JournalRestore: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Copy a backup into the configured journal, which is absent or empty.",
        discussion: """
            As `payrelay journal copy` from the backup to the journal. No relay may use the journal. If the command is killed, run it \
            again: it goes on.

            Exit status: 0 the journal holds what the backup holds, 1 it does not.
            """)

    @OptionGroup var options: ConfigurationOptions

    @Flag(help: "Print JSON.")
    var json = false

    @Argument(help: "The backup: a SQLite file.", completion: .file())
    var file: JournalPlace

    func run() async throws {
        try JournalCopyCommand.copy(from: file, to: options.journal(), asJSON: json)
        if !json { say("restored") }
    }
}
