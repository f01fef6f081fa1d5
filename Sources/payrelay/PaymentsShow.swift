import ArgumentParser
import Composition
import Foundation
import PaymentRelay
import PayrelayPrimitives

struct PaymentsShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a payment with its history.",
        discussion: """
            What GET /v1/payments/{merchant_reference} answers. It only reads the journal, and may run beside the relay.

            Exit status: 0 shown, 1 there is no such payment, or its record cannot be read.
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
        do {
            let journal = try await configuration.journal.attach()
            payment = try await journal.payment(merchantReference)
            history = try await journal.history(of: merchantReference)
        } catch {
            throw failure("the payment cannot be read: \(error)", status: .no)
        }
        guard let payment else { throw failure("there is no such payment", status: .no) }
        payment.say(with: history, asJSON: json)
    }
}

extension Payment {
    /// Prints the payment as it stands.
    func say(with history: [HistoryEntry], asJSON: Bool) {
        let view = view(with: history)
        guard !asJSON else { return payrelay.say(JSON.object(view).terminalText) }
        let shown = view.members.filter { !["processor_response", "history", "operations"].contains($0.name) }
        let width = (shown.map(\.name.count).max() ?? 0) + 2
        func line(_ name: String, _ text: String) {
            payrelay.say(name + String(repeating: " ", count: max(1, width - name.count)) + text.terminalText)
        }
        for member in shown {
            switch member.value {
            case .string(let text): line(member.name, text)
            case .number(let digits) where member.name.hasSuffix("amount"):
                let amount = MinorUnits(parsing: digits)?.decimal(in: currency) ?? digits
                line(member.name, "\(amount) \(currency)")
            default: line(member.name, String(decoding: member.value.encoded(), as: UTF8.self))
            }
        }
        if let client { line("client", client) }
        if let account { line("account", account) }
        payrelay.say()
        for entry in history {
            let words = [entry.at.rfc3339InMilliseconds, entry.state.rawValue, entry.reason ?? ""]
            payrelay.say(words.filter { !$0.isEmpty }.map(\.terminalText).joined(separator: "  "))
        }
    }
}
