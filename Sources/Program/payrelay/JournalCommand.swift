public import ArgumentParser
import CommandLineParts
public import Composition
import Foundation
import PayrelayPrimitives
import SQLJournal

struct JournalCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "journal",
        abstract: "Look at, back up, verify, restore, move and archive the journal.",
        subcommands: [
            JournalInfo.self, JournalBackup.self, JournalVerify.self, JournalRestore.self, JournalCopyCommand.self,
            JournalArchiveCommand.self,
        ])
}

extension JournalPlace: ExpressibleByArgument {
    /// As PAYRELAY_JOURNAL has it, or the path of a SQLite file alone.
    public init?(argument: String) { self.init(file: argument) }
}

extension ConfigurationOptions {
    /// The place that a command names, or the configured journal.
    ///
    /// - Throws: exit status 78, with every error named.
    func place(_ named: JournalPlace?) throws -> JournalPlace {
        if let named { return named }
        return try journal()
    }
}

extension JournalContents {
    /// Prints how many rows each table has, what the payments come to, and the digest.
    func sayFigures() {
        say(table: [["TABLE", "ROWS"]] + rows.map { [$0.table, "\($0.count)"] })
        say()
        let totals = totals.sorted { $0.key < $1.key }.map { group, total in
            [
                group.state, group.currency, "\(total.payments)", total.amount.decimal(in: group.currency),
                total.captured.decimal(in: group.currency), total.refunded.decimal(in: group.currency),
            ]
        }
        say(table: [["STATE", "CURRENCY", "PAYMENTS", "AMOUNT", "CAPTURED", "REFUNDED"]] + totals)
        say()
        say("digest \(digestText)")
    }
}

/// Prints rows with their columns below each other. What a journal holds cannot steer a terminal.
func say(table: [[String]]) {
    let rows = table.map { $0.map(\.terminalText) }
    let widths = (rows.first ?? []).indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    for row in rows {
        let cells = row.enumerated().map { place, cell in
            place == row.count - 1 ? cell : cell + String(repeating: " ", count: widths[place] - cell.count)
        }
        say(cells.joined(separator: "  "))
    }
}
