import PaymentRelay
import PayrelayPrimitives
import RelayServer

extension RecordedChange {
    /// Returns the change as a row of a list.
    ///
    /// - Parameter gateway: the gateway's title.
    func row(at gateway: String) -> View {
        let source = SourceWords(entry, at: gateway)
        return [
            "at": View(entry.at), "reference": .text(merchantReference),
            "link": .text(Links.payment(merchantReference)),
            "state": .text(entry.state.label), "tone": .text(entry.state.tone),
            "was": View(stateBefore.flatMap { $0 == entry.state ? nil : $0.label }),
            "captured": View(moved.captured == .zero ? nil : Money.text(moved.captured, currency)),
            "refunded": View(moved.refunded == .zero ? nil : Money.text(moved.refunded, currency)),
            "reason": View(entry.reason), "times": View(entry.times > 1 ? "\(entry.times)" : nil),
            "source": .text(source.text), "name": View(source.name), "account": View(account),
        ]
    }
}

/// A list of changes as CSV (RFC 4180) for a spreadsheet: no cell is taken for a formula, texts stay unchanged,
/// and amounts can be summed.
struct ChangeCSV {
    /// The time zone of the people who read the list.
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
        func number(_ amount: MinorUnits) -> String { Money.number(amount, change.currency) }
        func moved(_ amount: MinorUnits) -> String { amount == .zero ? "" : number(amount) }
        func text(_ text: String?) -> String { CSVRecord.literal(text ?? "") }
        return row([
            entry.at.rfc3339, zone.text(of: entry.at), text(change.merchantReference), entry.state.rawValue,
            change.stateBefore?.rawValue ?? "", moved(change.moved.captured), moved(change.moved.refunded),
            number(entry.balance.captured), number(entry.balance.refunded), change.currency, text(change.account),
            entry.source?.word ?? "", text(entry.operatorName),
            text(entry.source?.clientName), text(entry.reason), "\(entry.times)",
            text(entry.requestIdentifier),
        ])
    }

    private func row(_ cells: [String]) -> String { CSVRecord.text(cells) + "\r\n" }
}
