import ArgumentParser
import Foundation
import PaymentRelay
import Composition

struct Forget: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Erase the customer's data from a payment's records.",
        discussion: """
            Name, email, phone number, IP address and device of the customer, the masked card, and FORT's names of the stored card \
            and of the agreement to charge it are erased from the stored answers and events. Amounts, \
            codes and the history stay, and the history says that something was erased. The answer to a replay of the same \
            request then lacks these fields. May run beside the relay. The relay does the same by itself after \
            PAYRELAY_RETENTION_DAYS.

            Exit status: 0 erased, 1 there is no such payment, or it is still open.
            """)

    @OptionGroup var options: ConfigurationOptions

    @Argument(help: "The payment's merchant_reference.")
    var merchantReference: String

    func run() async throws {
        let configuration = try options.configuration()
        let isErased: Bool
        let journal: any Journal
        do {
            journal = try await configuration.journal.attach()
            isErased = try await journal.eraseCustomerData(
                of: merchantReference, at: Date(), knowing: .ofAllGateways, because: .commandLine)
        } catch {
            throw failure("nothing was erased: \(error)", status: .no)
        }
        guard isErased else {
            throw failure("nothing was erased: there is no such payment, or it is still open", status: .no)
        }
        do {
            try await journal.purge(at: Date())
            say("erased")
        } catch {
            say("erased; a running relay removes it from the journal's files within an hour, because now \(error)")
        }
    }
}
