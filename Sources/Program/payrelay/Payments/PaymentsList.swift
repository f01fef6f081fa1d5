import ArgumentParser
import CommandLineParts
import Composition
import Foundation
import PaymentRelay
import PayrelayPrimitives
import RelayServer

struct PaymentsList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List payments, the newest first.",
        discussion: """
            Every filter that is given must hold. It only reads the journal, and may run beside the relay; a user who can read the \
            journal sees the payments of all clients.

            Exit status: 0 payments were found, 1 none was.
            """)

    @OptionGroup var options: ConfigurationOptions
    @OptionGroup var filters: SearchOptions

    @Option(help: "How many payments at most, up to 200.")
    var limit: String?

    @Option(help: "The cursor of the page before.")
    var after: String?

    @Flag(help: "Print one JSON object a line, the cursor of the next page last.")
    var json = false

    func validate() throws {
        // A wrong filter is reported before the settings and the journal are read.
        _ = try filters.query([(.after, after), (.limit, limit)], notOverdueIn: Date.distantPast...Date.distantFuture)
    }

    func run() async throws {
        let configuration = try options.configuration()
        var query = try filters.query(
            [(.after, after), (.limit, limit)], notOverdueIn: Date().within(configuration.overdueAfter))
        let wanted = query.limit
        var payments: [Payment] = []
        var next: PaymentCursor?
        do {
            let journal: any Journal = try await configuration.journal.attach()
            // A page may be shorter than its limit although further pages follow.
            repeat {
                query.limit = wanted - payments.count
                let page = try await journal.search(query)
                payments += page.payments
                next = page.next
                query.after = next
            } while payments.count < wanted && next != nil
        } catch {
            throw failure("the journal cannot be read: \(error)", status: .no)
        }
        let cursor = next?.text
        if json {
            for payment in payments { say(JSON.object(payment.listing).terminalText) }
            if let cursor { say(JSON.object(["next": .string(cursor)]).terminalText) }
        } else {
            say(Self.table(payments))
            if let cursor { say("and more: --after \(cursor)") }
        }
        if payments.isEmpty {
            if !json { say("no payment is found") }
            throw ExitCode(ExitStatus.no.rawValue)
        }
    }

    private static func table(_ payments: [Payment]) -> TextTable {
        let rows = payments.map { payment in
            let listing = payment.listing
            let fields = AnswerVocabulary.ofAllGateways[payment.gateway]
            func text(_ name: String?) -> String { name.flatMap { listing[$0]?.stringValue } ?? "" }
            return [
                payment.claimedAt.rfc3339, payment.merchantReference, payment.state.rawValue,
                "\(payment.amount.decimal(in: payment.currency)) \(payment.currency)", text(fields.cardNumber),
                payment.gatewayReference ?? "", text(fields.message), payment.client ?? "",
            ]
        }
        guard !rows.isEmpty else { return TextTable([]) }
        return TextTable(
            [["CLAIMED", "REFERENCE", "OUTCOME", "AMOUNT", "CARD", "GATEWAY_ID", "MESSAGE", "CLIENT"]] + rows)
    }
}

extension MinorUnits {
    /// Returns the amount as people read it: 100.00 for 10000 in AED. Returns minor units if the currency is
    /// unknown.
    func decimal(in currency: String) -> String { value.decimal(in: currency) }
}

extension BinaryInteger {
    /// Returns minor units in the currency's major unit; unchanged if the currency is unknown.
    func decimal(in currency: String) -> String {
        guard let exponent = Currency(code: currency)?.exponent, exponent > 0 else { return description }
        let digits = String(repeating: "0", count: max(0, exponent + 1 - description.count)) + description
        return "\(digits.dropLast(exponent)).\(digits.suffix(exponent))"
    }
}
