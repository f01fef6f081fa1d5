import ArgumentParser
import CommandLineParts
import Composition
import Foundation
import Logging
import PaymentRelay

struct PaymentsSync: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync",
        abstract: "Query the gateway about a payment, and show the payment.",
        discussion: """
            What POST /v1/payments/{merchant_reference}/sync does: it queries the gateway and records changes. It may run \
            beside the relay, with the relay's settings.

            Exit status: 0 if the outcome is known; 1 if it is open, if the gateway did not answer, or if there is no such payment.
            """)

    @OptionGroup var options: ConfigurationOptions

    @Flag(help: "Print one JSON object.")
    var json = false

    @Argument(help: "The payment's merchant_reference.")
    var merchantReference: String

    func run() async throws {
        let configuration = try options.configuration()
        let asked: QueriedGateway?
        let recorded: RecordedPayment?
        do {
            let journal = try await configuration.journal.attach()
            let detached = try DetachedRelay(
                configuration, journal: journal,
                logger: Logger(label: "payrelay") { StreamLogHandler.standardError(label: $0) })
            defer { detached.shutdown() }
            asked = try await detached.relay.queryGateway(about: merchantReference, by: .commandLine)
            recorded = try await RecordedPayment(merchantReference, in: journal, archive: configuration.archive)
        } catch {
            throw failure("the payment cannot be read: \(error)", status: .no)
        }
        guard let recorded else {
            throw failure("there is no payment \(merchantReference.debugDescription)", status: .no)
        }
        recorded.say(asJSON: json)
        if let reason = asked?.reasonOfSilence { throw failure("not answered: \(reason)", status: .no) }
        if recorded.payment.isOpen { throw failure("the outcome is not known yet", status: .no) }
    }
}
