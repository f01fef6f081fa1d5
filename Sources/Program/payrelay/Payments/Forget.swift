import ArgumentParser
import CommandLineParts
import Composition
import Foundation
import PaymentRelay
import PayrelayPrimitives

struct Forget: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Erase the customer's data from a payment's records, or from those of all payments with one email.",
        discussion: """
            Name, email, phone number, IP address and device of the customer, the masked card, and FORT's names of the stored card \
            and of the agreement to charge it are erased from the stored answers and events. Amounts, \
            codes and the history stay, and the history says that something was erased. The answer to a replay of the same \
            request then lacks these fields. May run beside the relay. The relay does the same by itself after \
            PAYRELAY_RETENTION_DAYS.

            With --email each payment is printed, with what keeps it from being erased: an outcome that is still open.

            Exit status: 0 erased, 1 there is no such payment, or one is kept.
            """)

    @OptionGroup var options: ConfigurationOptions

    @Argument(help: "The payment's merchant_reference.")
    var merchantReference: String?

    @Option(help: "The customer's email, in any case, instead of a payment.")
    var email: String?

    @Flag(help: "With --email: print what would be erased, and erase nothing.")
    var dryRun = false

    @Flag(help: "Print one JSON object a line.")
    var json = false

    func validate() throws {
        guard merchantReference != nil || email != nil else { throw UsageError("name a payment, or give --email") }
        guard merchantReference == nil || email == nil else {
            throw UsageError(
                "a payment and --email exclude each other: with --email, all payments of this customer are meant")
        }
        guard !dryRun || email != nil else { throw UsageError("--dry-run goes with --email") }
    }

    func run() async throws {
        let configuration = try options.configuration()
        let journal: any Journal
        do {
            journal = try await configuration.journal.attach()
        } catch {
            throw failure("nothing was erased: \(error)", status: .no)
        }
        if let email {
            try await forget(EmailDigest(of: email), in: journal)
            return
        }
        let obstacle: String?
        do throws(JournalError) {
            obstacle = try await forget(merchantReference ?? "", in: journal)
        } catch {
            throw failure("nothing was erased: \(error)", status: .no)
        }
        if json { show(merchantReference ?? "", obstacle) }
        if let obstacle { throw failure("nothing was erased: \(obstacle)", status: .no) }
        await purge(journal)
    }

    /// Erases the customer's data of a payment. Returns why it cannot be erased; `nil` if it was.
    private func forget(_ merchantReference: String, in journal: any Journal) async throws(JournalError) -> String? {
        guard try await !journal.eraseCustomerData(of: merchantReference, at: Date(), knowing: .ofAllGateways) else {
            return nil
        }
        guard let payment = try await journal.payment(merchantReference) else {
            return "there is no payment \(merchantReference.debugDescription)"
        }
        return payment.erasureObstacle?.description ?? "the payment has changed meanwhile; try again"
    }

    private func forget(_ customer: EmailDigest, in journal: any Journal) async throws {
        var query = PaymentQuery()
        query.emailDigest = customer
        query.limit = PaymentQuery.limits.upperBound
        var counts = (erased: 0, kept: 0)
        do throws(JournalError) {
            repeat {
                let page = try await journal.search(query)
                for payment in page.payments {
                    var obstacle = payment.erasureObstacle?.description
                    if obstacle == nil, !dryRun,
                        try await !journal.eraseCustomerData(
                            of: payment.merchantReference, with: customer, at: Date(), knowing: .ofAllGateways)
                    {
                        obstacle = "it has changed meanwhile"
                    }
                    if obstacle == nil { counts.erased += 1 } else { counts.kept += 1 }
                    show(payment.merchantReference, obstacle)
                }
                query.after = page.next
            } while query.after != nil
        } catch {
            throw failure("not all was erased: \(error)", status: .no)
        }
        if counts == (0, 0), !json { say("no payment has this email") }
        if counts.erased > 0, !dryRun { await purge(journal) }
        if counts.erased == 0 || counts.kept > 0 { throw ExitCode(ExitStatus.no.rawValue) }
    }

    /// Prints the result for a payment.
    ///
    /// - Parameter obstacle: why the data is kept; `nil` if it was erased or, with `--dry-run`, can be erased.
    private func show(_ merchantReference: String, _ obstacle: String?) {
        let result = obstacle == nil ? (dryRun ? "can be erased" : "erased") : "kept"
        guard json else {
            return say("\(merchantReference.terminalText)  \(result)\(obstacle.map { ": \($0)" } ?? "")")
        }
        var line: JSONObject = ["merchant_reference": .string(merchantReference), "result": .string(result)]
        line["reason"] = obstacle.map { .string($0) }
        say(JSON.object(line).terminalText)
    }

    private func purge(_ journal: any Journal) async {
        do {
            try await journal.purge(at: Date())
            if !json { say("erased") }
        } catch {
            let text =
                "erased; a running relay removes it from the journal's files within an hour, because now \(error)"
            if json { try? FileHandle.standardError.show("payrelay: \(text)\n") } else { say(text) }
        }
    }
}
