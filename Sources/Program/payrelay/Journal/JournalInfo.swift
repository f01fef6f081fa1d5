import ArgumentParser
import CommandLineParts
import Composition
import Foundation
import PayrelayPrimitives
import SQLJournal

struct JournalInfo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info",
        abstract: "Print how large the journal is, how fast it grows, and what retention has erased.",
        discussion: """
            It only reads the journal, and may run beside the relay.

            Exit status: 0 printed, 1 the journal cannot be read.
            """)

    @OptionGroup var options: ConfigurationOptions

    @Flag(help: "Print JSON.")
    var json = false

    @Argument(help: "A SQLite file, or a postgres:// URL. (default: the configured journal)", completion: .file())
    var journal: JournalPlace?

    func run() async throws {
        let place = try options.place(journal)
        let now = Date()
        let size: JournalSize
        do {
            size = try JournalSize(of: place.snapshot(), at: now)
        } catch {
            throw failure("the journal cannot be read: \(error)", status: .no)
        }
        let archive = try self.journal == nil ? options.archive() : nil
        guard !json else { return say(JSON.object(Self.json(size, archive, at: now)).terminalText) }
        let rows = size.tables.map { [$0.name, "\($0.rows)", $0.bytes.map(Self.megabytes) ?? "?"] }
        say(table: [["TABLE", "ROWS", "SIZE"]] + rows)
        say()
        if let bytes = size.bytes { say("size      \(Self.megabytes(bytes))") }
        guard let oldest = size.oldest, let newest = size.newest else { return say("payments  none") }
        say("payments  \(size.payments), the oldest of \(oldest.rfc3339), the newest of \(newest.rfc3339)")
        let aDay = size.paymentsADay(at: now)
        var growth = "growth    \(Int(aDay.rounded())) payments a day since \(size.recentStart.rfc3339)"
        if let bytes = size.bytes, size.payments > 0 {
            growth += ", about \(Self.megabytes(Int(aDay * Double(bytes) / Double(size.payments)))) a day"
        }
        say(growth)
        let held = size.oldestWithCustomerData.map { "the oldest that holds it is of \($0.rfc3339)" } ?? "none holds it"
        if size.freeBytes > 0 {
            say("free      \(Self.megabytes(size.freeBytes)) in the file, which new payments take first")
        }
        say("erased    customer data of \(size.erased) payments; \(held)")
        say("archived  \(size.archived) payments" + (archive.map { ", in \($0.directory.terminalText)" } ?? ""))
        for file in archive?.files ?? [] { say("          \(file.name.terminalText), \(Self.megabytes(file.bytes))") }
    }

    private static func json(_ size: JournalSize, _ archive: PaymentArchive?, at now: Date) -> JSONObject {
        let tables = size.tables.map { table in
            JSON.object(
                ["name": .string(table.name), "rows": JSON(table.rows), "bytes": table.bytes.map { JSON($0) } ?? .null])
        }
        let files = (archive?.files ?? []).map { file in
            JSON.object(["name": .string(file.name), "bytes": JSON(file.bytes)])
        }
        func time(_ moment: Date?) -> JSON { moment.map { .string($0.rfc3339) } ?? .null }
        return [
            "tables": .array(tables), "bytes": size.bytes.map { JSON($0) } ?? .null, "free_bytes": JSON(size.freeBytes),
            "payments": JSON(size.payments), "oldest": time(size.oldest), "newest": time(size.newest),
            "payments_a_day": JSON(Int(size.paymentsADay(at: now).rounded())), "erased": JSON(size.erased),
            "oldest_with_customer_data": time(size.oldestWithCustomerData), "archived": JSON(size.archived),
            "archive": .array(files),
        ]
    }

    private static func megabytes(_ bytes: Int) -> String {
        "\((Double(bytes) / 100_000).rounded() / 10) MB"
    }
}
