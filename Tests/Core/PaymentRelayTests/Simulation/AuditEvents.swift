import PaymentRelay
import PayrelayPrimitives

extension Audit {
    /// Checks that every event was delivered, in order, and that the events by themselves lead to the payment's state.
    func eventFindings(_ payment: Payment?, _ history: [HistoryEntry], _ reference: String) -> [String] {
        let received = acknowledgedEvents.filter { $0.reference == reference }
        var findings: [String] = []
        let expected = history.filter { $0.event != nil }.map(\.number)
        let numbers = received.compactMap(\.number)
        for number in expected where !numbers.contains(number) {
            findings.append("the backend never received event \(number) of \(reference)")
        }
        let firsts = numbers.enumerated().filter { numbers.firstIndex(of: $0.element) == $0.offset }.map(\.element)
        if firsts != firsts.sorted() {
            findings.append("the backend received events \(firsts) of \(reference) out of order")
        }
        for (identifier, copies) in Dictionary(grouping: received, by: \.identifier)
        where Set(copies.map(\.body)).count > 1 {
            findings.append("the backend received \(identifier) of \(reference) in different words")
        }
        for event in received {
            guard let entry = history.first(where: { $0.number == event.number }),
                event.tells(entry.state, entry.balance)
            else {
                findings.append("\(reference) never was what \(event.identifier) tells")
                continue
            }
        }
        return findings + lastWord(received, payment, reference)
    }

    private func lastWord(_ received: [MerchantEvent], _ payment: Payment?, _ reference: String) -> [String] {
        guard let payment, !payment.state.isOpen, payment.state != .notSent else { return [] }
        let last = received.max { ($0.number ?? 0) < ($1.number ?? 0) }
        if last?.tells(payment.state, payment.balance) == true { return [] }
        return ["a backend that only gets events would not know that \(reference) is \(payment.state.rawValue)"]
    }
}

extension MerchantEvent {
    fileprivate func tells(_ state: PaymentState, _ balance: Balance) -> Bool {
        let payment = json?["payment"]
        return json?["outcome"] == .string(state.rawValue) && payment?["outcome"] == .string(state.rawValue)
            && payment?["captured_amount"] == JSON(balance.captured)
            && payment?["refunded_amount"] == JSON(balance.refunded)
    }
}
