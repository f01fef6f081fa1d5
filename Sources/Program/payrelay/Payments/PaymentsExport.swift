import ArgumentParser
import CommandLineParts
import Composition
import Foundation
import PaymentRelay
import PayrelayPrimitives
import RelayServer

struct PaymentsExport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write payments as CSV, the newest first.",
        discussion: """
            Every payment that the filters describe, to standard output. It only reads the journal, page by page, and may run beside the \
            relay. If a cell begins like a formula of a spreadsheet, an apostrophe is put before it.

            Exit status: 0 everything was written, 1 the journal cannot be read.
            """)

    @OptionGroup var options: ConfigurationOptions
    @OptionGroup var filters: SearchOptions

    @Flag(help: "Write one JSON object a line instead.")
    var json = false

    func validate() throws {
        // A wrong filter is reported before the settings and the journal are read.
        _ = try filters.query(notOverdueIn: Date.distantPast...Date.distantFuture)
    }

    func run() async throws {
        let configuration = try options.configuration()
        var query = try filters.query(notOverdueIn: Date().within(configuration.overdueAfter))
        query.limit = PaymentQuery.limits.upperBound
        do {
            let journal: any Journal = try await configuration.journal.attach()
            let csv = PaymentCSV(.ofAllGateways)
            if !json { try write(csv.header) }
            repeat {
                let page = try await journal.search(query)
                try write(
                    page.payments.map { json ? JSON.object($0.listing).terminalText + "\n" : csv.row($0) }
                        .joined())
                query.after = page.next
            } while query.after != nil
        } catch {
            throw failure("not everything was written: \(error)", status: .no)
        }
    }

    private func write(_ text: String) throws {
        try FileHandle.standardOutput.show(text)
    }
}
