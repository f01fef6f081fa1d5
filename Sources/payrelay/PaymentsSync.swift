import ArgumentParser
import Composition
import Foundation
import Logging
import PaymentRelay

struct PaymentsSync: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync",
        abstract: "Ask FORT what became of a payment, and show it.",
        discussion: """
            What POST /v1/payments/{merchant_reference}/sync does: FORT is asked by CHECK_STATUS, and what is new is recorded. It may run \
            beside the relay, with the relay's settings.

            Exit status: 0 the outcome is known, 1 it is still open, or there is no such payment.
            """)

    @OptionGroup var options: ConfigurationOptions

    @Flag(help: "Print one JSON object.")
    var json = false

    @Argument(help: "The payment's merchant_reference.")
    var merchantReference: String

    func run() async throws {
        let configuration = try options.configuration()
        let payment: Payment?
        let history: [HistoryEntry]
        let queries: [QueryWithoutChange]
        do {
            let journal = try await configuration.journal.attach()
            let detached = DetachedRelay(
                configuration, journal: journal,
                logger: Logger(label: "payrelay") { StreamLogHandler.standardError(label: $0) })
            defer { detached.shutdown() }
            payment = try await detached.relay.sync(merchantReference, by: .commandLine)
            history = try await journal.history(of: merchantReference)
            queries = try await journal.queriesWithoutChange(of: merchantReference)
        } catch {
            throw failure("the payment cannot be read: \(error)", status: .no)
        }
        guard let payment else { throw failure("there is no such payment", status: .no) }
        payment.say(with: history, queries, asJSON: json)
        if payment.isOpen { throw failure("the outcome is not known yet", status: .no) }
    }
}
