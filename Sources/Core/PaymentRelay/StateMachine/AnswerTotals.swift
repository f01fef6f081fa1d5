import PayrelayPrimitives

/// What an answer says about the order's money. These totals are about the order as a whole; its status is about the last operation.
extension GatewayAnswer {
    /// What was captured and refunded; nil if the answer does not say. That nothing was refunded may go unsaid.
    var moved: Balance? { totals ?? (meaning == .refunded ? nil : captured.map { Balance(captured: $0) }) }

    /// Whether something was captured, whatever status the answer names.
    var showsMoney: Bool { moved.map { $0.captured > .zero } ?? false }

    /// Whether the totals say that nothing was captured and that nothing is held.
    var showsNoMoney: Bool { moved == Balance() && !mayHold }

    /// Whether the answer states an authorized amount. No document says whether a gateway does so for an authorization that failed. If it does
    /// not, the customer's money is held.
    var mayHold: Bool { authorized.map { $0 > .zero } ?? false }

    /// Whether a total is less than what was proven. Totals only grow, so the answer is old or wrong, and proves nothing.
    func isBehind(_ proven: Balance) -> Bool {
        guard let captured = totals?.captured ?? captured else { return false }
        return captured < proven.captured || totals.map { $0.refunded < proven.refunded } ?? false
    }

    /// Whether the answer is about a charge: about money that is held, or was captured.
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
