import PaymentRelay
import PayrelayPrimitives
import RelayServer

extension RecordedChange {
    /// Its row in a list.
    ///
    /// - Parameter gateway: its title.
    func row(at gateway: String) -> View {
        let source = SourceWords(entry, at: gateway)
        return [
            "at": View(entry.at), "reference": .text(merchantReference),
            "link": .text(Links.payment(merchantReference)),
            "state": .text(entry.state.label), "tone": .text(entry.state.tone),
            "was": View(before.flatMap { $0.state == entry.state ? nil : $0.state.label }),
            "captured": View(moved(\.captured).map { Money.text($0, currency) }),
            "refunded": View(moved(\.refunded).map { Money.text($0, currency) }),
            "reason": View(entry.shownReason(in: currency)), "times": View(entry.times > 1 ? "\(entry.times)" : nil),
            "source": .text(source.text), "name": View(source.name), "account": View(account),
        ]
    }

    /// By how much an amount grew; nil where it did not.
    fileprivate func moved(_ amount: KeyPath<Balance, MinorUnits>) -> MinorUnits? {
        guard let more = entry.balance[keyPath: amount].subtracting(before?.balance[keyPath: amount] ?? .zero),
            more > .zero
        else { return nil }
        return more
    }
}

/// A list of changes as RFC 4180 has it, for a spreadsheet: no cell begins a formula, and what moved can be summed.
struct ChangeCSV {
    /// Of the people who read it.
    let zone: ClockZone

    var header: String {
        row([
            "at", "at \(zone)", "merchant_reference", "outcome", "outcome_before", "captured_change",
            "refunded_change", "captured_in_all", "refunded_in_all", "currency", "account", "source", "operator",
            "client", "reason", "times", "request_id",
        ])
    }

    func row(_ change: RecordedChange) -> String {
        let entry = change.entry
        let operatorRequest = entry.operatorRequest
        func number(_ amount: MinorUnits?) -> String { amount.map { Money.number($0, change.currency) } ?? "" }
        return row([
            entry.at.rfc3339, zone.text(of: entry.at), change.merchantReference, entry.state.rawValue,
            change.before?.state.rawValue ?? "", number(change.moved(\.captured)), number(change.moved(\.refunded)),
            number(entry.balance.captured), number(entry.balance.refunded), change.currency, change.account ?? "",
            entry.source?.word ?? "", operatorRequest?.operatorName ?? entry.source?.operatorName ?? "",
            entry.source?.clientName ?? "", entry.reason ?? "", "\(entry.times)",
            operatorRequest?.identifier ?? entry.requestIdentifier ?? "",
        ])
    }

    private func row(_ cells: [String]) -> String { CSVRecord.text(cells) + "\r\n" }
}
