import PayrelayPrimitives
import PaymentRelay
import RelayServer

extension PaymentState {
    /// The outcome of this name, as a client or this console writes it: `partially_captured`, `Partially captured`. Nil if there is none.
    static func named(_ text: String) -> PaymentState? {
        let name = text.lowercasedASCII
        return allCases.first { $0.rawValue == name || $0.label.lowercasedASCII == name }
    }

    /// For a reader who knows payments and not this service.
    var label: String {
        switch self {
        case .processing: "In progress"
        case .notSent: "Not sent"
        case .authorized: "Authorized"
        case .partiallyCaptured: "Partially captured"
        case .captured: "Captured"
        case .declined: "Declined"
        case .voided: "Voided"
        case .partiallyRefunded: "Partially refunded"
        case .refunded: "Refunded"
        case .uncertain: "Uncertain"
        case .notProcessed: "Not processed"
        }
    }

    /// Answers "was the card charged?".
    ///
    /// - Parameter gateway: its title.
    func meaning(at gateway: String) -> String {
        switch self {
        case .processing: "The request may be on its way to \(gateway) at this moment."
        case .notSent:
            "Nothing was sent to \(gateway). The card was not charged, and the same request may be tried again."
        case .authorized: "The money is held on the customer's card. Nothing was captured."
        case .partiallyCaptured: "Part of what is held was captured. The customer has paid that part."
        case .captured: "The customer has paid."
        case .declined: "The payment was tried and failed. The card was not charged."
        case .voided: "The hold was lifted. The customer has paid nothing."
        case .partiallyRefunded: "The customer has paid, and part of it was refunded."
        case .refunded: "The customer has paid, and all of it was refunded."
        case .uncertain:
            "\(gateway) may have charged the card and has not said so. The relay asks until it knows. Do not let the customer pay again."
        case .notProcessed: "\(gateway) has no such order. The card was not charged, and the customer may pay again."
        }
    }

    /// The class of its badge.
    var tone: String {
        switch self {
        case .authorized, .captured, .partiallyCaptured: "good"
        case .declined, .notSent, .notProcessed: "bad"
        case .processing, .uncertain: "open"
        case .voided, .partiallyRefunded, .refunded: "quiet"
        }
    }
}

extension AccountAvailability {
    /// For operators: first that nothing is charged, if so.
    var sentence: String { whyNotCharged.map { "Nothing is charged: \($0)." } ?? state.sentence }
}

extension AccountAvailability.State {
    /// For operators.
    var sentence: String {
        switch self {
        case .notAsked: "Not asked yet."
        case .answering: "Answers."
        case .refusing:
            "Refuses the account or the relay's signature: no payment can succeed. See its settings and the request phrase."
        case .unproven:
            "Its answers cannot be verified: it may charge, and payments stay uncertain. The response phrase is wrong, or something stands between."
        case .notAnswering: "Did not answer the last time. It is asked again every few seconds."
        case .circuitBreakerOpen:
            "Does not answer: the circuit breaker is open, nothing is sent, and payments are answered with 503."
        }
    }

    /// The class of its dot.
    var tone: String {
        isBad ? "bad" : self == .answering ? "good" : "quiet"
    }
}

extension PaymentOperation.State {
    var label: String {
        switch self {
        case .processing: "In progress"
        case .uncertain: "Uncertain"
        case .pending: "Pending at the gateway"
        case .done: "Done"
        case .declined: "Declined"
        case .notProcessed: "Not processed"
        }
    }

    var tone: String {
        switch self {
        case .done: "good"
        case .declined, .notProcessed: "bad"
        case .processing, .uncertain, .pending: "open"
        }
    }
}

extension HistoryEntry {
    /// The class of its dot: that of the operation that it is about, if it is about one. An operation that was not sent has no success.
    var tone: String {
        guard let operation else { return state.tone }
        return operation.state?.tone ?? "bad"
    }
}
