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
            "captured": View(moved(\.captured)), "refunded": View(moved(\.refunded)),
            "reason": View(entry.shownReason(in: currency)), "times": View(entry.times > 1 ? "\(entry.times)" : nil),
            "source": .text(source.text), "name": View(source.name), "account": View(account),
        ]
    }

    /// By how much an amount grew; nil where it did not.
    private func moved(_ amount: KeyPath<Balance, MinorUnits>) -> String? {
        guard let more = entry.balance[keyPath: amount].subtracting(before?.balance[keyPath: amount] ?? .zero),
            more > .zero
        else { return nil }
        return Money.text(more, currency)
    }
}

/// A list of changes as RFC 4180 has it, for a spreadsheet: no cell begins a formula.
struct ChangeCSV {
    /// Of the people who read it.
    let zone: ClockZone

    var header: String {
        row([
            "at", "at \(zone)", "merchant_reference", "outcome", "outcome_before", "captured_decimal",
            "refunded_decimal", "currency", "account", "source", "operator", "client", "reason", "times", "request_id",
        ])
    }

    func row(_ change: RecordedChange) -> String {
        let entry = change.entry
        let operatorRequest = entry.operatorRequest
        return row([
            entry.at.rfc3339, zone.text(of: entry.at), change.merchantReference, entry.state.rawValue,
            change.before?.state.rawValue ?? "", Money.number(entry.balance.captured, change.currency),
            Money.number(entry.balance.refunded, change.currency), change.currency, change.account ?? "",
            entry.source?.word ?? "", operatorRequest?.operatorName ?? entry.source?.operatorName ?? "",
            entry.source?.clientName ?? "", entry.reason ?? "", "\(entry.times)",
            operatorRequest?.identifier ?? entry.requestIdentifier ?? "",
        ])
    }

    private func row(_ cells: [String]) -> String { CSVRecord.text(cells) + "\r\n" }
}
