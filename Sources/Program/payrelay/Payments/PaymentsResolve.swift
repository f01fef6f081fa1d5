import AccessControl
import ArgumentParser
import CommandLineParts
import Composition
import Foundation
import Logging
import PaymentRelay
import PayrelayAPI
import PayrelayPrimitives

struct PaymentsResolve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resolve",
        abstract:
            "Settle by hand a payment, or its open capture, void or refund, whose outcome the gateway does not say.",
        discussion: """
            Only if the gateway told you, by telephone or in its dashboard, what its answers do not say. The gateway is not queried, and no \
            money moves; your backend gets the event with "source": "operator". It is refused while the gateway's own answers may still \
            end it: for PAYRELAY_NOT_FOUND_AFTER_SECONDS, or PAYRELAY_OPERATION_NOT_FOUND_AFTER_SECONDS, and 24 times as long for what the \
            gateway has given a number, or has on hold.

            payrelay payments resolve ORDER-1001 --as captured --amount 100.00 --confirm-amount 100.00 --reason "APS, ticket 4711" \
            --key-file sara.key

            A payment can be captured, declined or not_processed, and after AUTHORIZATION also authorized or voided. An open capture, void or \
            refund can be done, declined or not_processed. The amount is what was captured in all, if a payment with AUTHORIZATION is \
            captured; the operation's amount, if an operation is open; and otherwise the order's.

            It takes the key of an operator with the role finance: the history has that operator's name. It may run beside the relay, with \
            the relay's settings.

            Exit status: 0 settled, 1 not settled: nothing was changed, and the reason is printed.
            """)

    @OptionGroup var options: ConfigurationOptions

    @Flag(help: "Print one JSON object.")
    var json = false

    @Option(name: .customLong("as"), help: "What became of it.")
    var resolution: Resolution

    @Option(help: "In the payment's currency, with its decimals: 100.00.")
    var amount: String

    @OptionGroup var unit: AmountUnit

    @Option(help: "The same amount once more.")
    var confirmAmount: String

    @Option(help: "Why, for other operators and your backend: 1 to 500 characters.")
    var reason: String

    @Option(help: "A file with your operator's key; - is standard input.", completion: .file())
    var keyFile: String

    @Argument(help: "The payment's merchant_reference.")
    var merchantReference: String

    func validate() throws { _ = try note() }

    func run() async throws {
        let note = try note()
        let operatorRequest = try operatorRequest()
        let configuration = try options.configuration()
        let journal: any Journal
        do {
            journal = try await configuration.journal.attach()
            let detached = try DetachedRelay(
                configuration, journal: journal,
                logger: Logger(label: "payrelay") { StreamLogHandler.standardError(label: $0) })
            defer { detached.shutdown() }
            guard let payment = try await detached.relay.payment(merchantReference) else {
                throw ResolutionRefusal.noSuchPayment
            }
            _ = try await detached.relay.resolve(
                ResolutionRequest(
                    merchantReference: merchantReference, resolution: resolution,
                    amount: try unit.amount(amount, "--amount", in: Currency(code: payment.currency)),
                    confirmation: try unit.amount(
                        confirmAmount, "--confirm-amount", in: Currency(code: payment.currency)), reason: note,
                    by: operatorRequest, basis: payment.version))
        } catch let usage as UsageError {
            throw usage
        } catch ResolutionRefusal.journal(.outcomeUnknown(let reason)) {
            throw failure("settled, or not: look at the payment. \(reason)", status: .no)
        } catch {
            throw failure("not settled: \(error)", status: .no)
        }
        do throws(JournalError) {
            try await RecordedPayment(merchantReference, in: journal, archive: configuration.archive)?.say(asJSON: json)
        } catch {
            throw failure("settled; the payment cannot be read: \(error)", status: .no)
        }
    }

    private func note() throws -> OperatorNote {
        do throws(OperatorNoteError) {
            return try OperatorNote(reason)
        } catch {
            switch error {
            case .empty: throw UsageError("--reason has no text")
            case .tooLong: throw UsageError("--reason must have at most \(OperatorNote.limit) characters")
            }
        }
    }

    /// Returns the request of the operator whose key is in the file.
    private func operatorRequest() throws -> OperatorRequest {
        let text = String(decoding: try readFile(keyFile), as: UTF8.self).trimmedOfWhiteSpace
        guard let key = OperatorKey(text), let entry = try options.operators()?.entry(with: key) else {
            throw failure(
                "not settled: --key-file does not have the key of an operator in PAYRELAY_OPERATORS", status: .no)
        }
        return entry.request(identifier: UUID().uuidString.lowercasedASCII)
    }
}
