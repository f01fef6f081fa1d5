import PaymentRelay
import PayrelayPrimitives
import RelayServer

extension PaymentState {
    /// Returns the outcome with a name as a client or the console writes it, such as `partially_captured` or
    /// `Partially captured`; `nil` if there is none.
    static func named(_ text: String) -> PaymentState? {
        let name = text.lowercasedASCII
        return allCases.first { $0.rawValue == name || $0.label.lowercasedASCII == name }
    }

    /// The label for a reader who knows payments but not payrelay.
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

    /// Returns a sentence that answers "was the card charged?".
    ///
    /// - Parameter gateway: the gateway's title.
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
            "\(gateway) may have charged the card and has not said so. The relay sends queries until it knows. Do not let the customer pay again."
        case .notProcessed: "\(gateway) has no such order. The card was not charged, and the customer may pay again."
        }
    }

    /// The CSS class of the state's badge.
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
    /// The sentence for operators. If nothing is charged, the sentence says so first.
    var sentence: String { whyNotCharged.map { "Nothing is charged: \($0)." } ?? state.sentence }
}

extension AccountAvailability.State {
    /// The sentence for operators.
    var sentence: String {
        switch self {
        case .notAsked: "Not queried yet."
        case .answering: "Answers."
        case .refusing:
            "Refuses the account or the relay's signature: no payment can succeed. See its settings and the request phrase."
        case .unproven:
            "Its answers cannot be verified: it may charge, and payments stay uncertain. The response phrase is wrong, or something stands between."
        case .notAnswering: "Did not answer the last query. It is queried again every few seconds."
        case .circuitBreakerOpen:
            "Does not answer: the circuit breaker is open, nothing is sent, and payments are answered with 503."
        }
    }

    /// The CSS class of the state's dot.
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
    /// The CSS class of the entry's dot. For an entry about an operation, it is the class of the operation. An
    /// operation that was not sent counts as failed.
    var tone: String {
        guard let operation else { return state.tone }
        return operation.state?.tone ?? "bad"
    }
}
