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
    /// Parses a place in the form of PAYRELAY_JOURNAL, or the bare path of a SQLite file.
    public init?(argument: String) { self.init(file: argument) }
}

extension ConfigurationOptions {
    /// Returns the place that the command names, or else the configured journal.
    ///
    /// - Throws: exit status 78 with every error.
    func place(_ named: JournalPlace?) throws -> JournalPlace {
        if let named { return named }
        return try journal()
    }
}

extension JournalContents {
    /// The figures as JSON. Sums are texts, because they can exceed the numbers that JSON parsers accept.
    var figures: JSONObject {
        let rows = rows.map { JSON.object(["table": .string($0.table), "rows": JSON($0.count)]) }
        let totals = totals.sorted { $0.key < $1.key }.map { group, total in
            JSON.object([
                "state": .string(group.state), "currency": .string(group.currency), "payments": JSON(total.payments),
                "amount": .string("\(total.amount)"), "captured": .string("\(total.captured)"),
                "refunded": .string("\(total.refunded)"),
            ])
        }
        return ["tables": .array(rows), "totals": .array(totals), "digest": .string(digestText)]
    }

    /// Prints the number of rows of each table, the totals of the payments, and the digest.
    func sayFigures(asJSON: Bool = false) {
        guard !asJSON else { return say(JSON.object(figures).terminalText) }
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
