import PayrelayPrimitives

/// An answer's statements about the order's money. The totals are about the order as a whole; the status is only about
/// the last operation.
extension GatewayAnswer {
    /// The captured and refunded totals; `nil` if the answer does not state them. If the answer states only a
    /// captured total, nothing was refunded, unless the status is "refunded".
    var moved: Balance? { totals ?? (meaning == .refunded ? nil : captured.map { Balance(captured: $0) }) }

    /// Whether the totals show a capture, whatever the status is.
    var showsMoney: Bool { moved.map { $0.captured > .zero } ?? false }

    /// Whether the totals say that nothing was captured and that nothing is held.
    var showsNoMoney: Bool { moved == Balance() && !mayHold }

    /// Whether the answer states an authorized amount. No document says whether a gateway states one also for an
    /// authorization that failed. Unless it does, such an answer means that the customer's money is held.
    var mayHold: Bool { authorized.map { $0 > .zero } ?? false }

    /// Whether a total is less than what was proven. Totals only grow, so such an answer is old or wrong, and
    /// proves nothing.
    func isBehind(_ proven: Balance) -> Bool {
        guard let captured = totals?.captured ?? captured else { return false }
        return captured < proven.captured || totals.map { $0.refunded < proven.refunded } ?? false
    }

    /// Whether the answer is about a charge: money is held, or was captured.
    var isOfCharge: Bool {
        switch meaning {
        case .authorized, .captured, .refunded: true
        case .declined, .voided, .pending, .duplicate, .notFound: showsMoney
        }
    }

    /// The answer in words, for the history and the log.
    var words: String {
        var words = meaning.word
        if case .pending(let reason) = meaning { words += " (\(reason))" }
        let amounts = [
            ("authorized", authorized), ("captured", totals?.captured ?? captured), ("refunded", totals?.refunded),
        ].compactMap { name, amount in amount.map { "\(name) \($0)" } }
        return words + (amounts.isEmpty ? ", without totals" : ", with totals " + amounts.joined(separator: ", "))
    }
}
