import PaymentRelay
import PayrelayPrimitives

/// A capture, void or refund, parsed from a history entry's reason: `REFUND of 4000: declined, …`, in minor units.
struct OperationReason {
    let command: OperationCommand
    let amount: MinorUnits
    /// The text after the amount.
    private let rest: String

    /// Nil if the reason is about no operation.
    init?(_ reason: String?) {
        guard let words = reason?.parts(at: " ", max: 3), words.count == 3, words[1] == "of",
            let command = OperationCommand(rawValue: String(words[0]))
        else { return nil }
        // The amount ends with a colon or a space.
        let digits = words[2].utf8.prefix(while: \.isASCIIDigit)
        guard let amount = MinorUnits(parsing: String(Substring(digits))) else { return nil }
        self.command = command
        self.amount = amount
        rest = String(words[2][digits.endIndex...])
    }

    /// The reason with the amount in the currency's major unit: 40.00 AED.
    func text(in currency: String) -> String { "\(command.verb) of \(Money.text(amount, currency))\(rest)" }

    /// The tone of its state. An operation that was only begun, or was not sent, is not shown as a success.
    var tone: String {
        let state = rest.after(": ").map { $0.cut(at: ",").before }.flatMap {
            PaymentOperation.State(rawValue: String($0))
        }
        return state?.tone ?? (rest.after(": ") == nil ? "open" : "bad")
    }
}

extension HistoryEntry {
    /// The class of its dot: an operation's, where the entry is about one.
    var tone: String { OperationReason(reason)?.tone ?? state.tone }

    /// Its reason, with amounts as people read them.
    func shownReason(in currency: String) -> String? { OperationReason(reason)?.text(in: currency) ?? reason }
}
