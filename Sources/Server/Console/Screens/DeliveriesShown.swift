import AccessControl
import PaymentRelay

extension EventView {
    /// Returns an event with its delivery attempts, the newest first.
    ///
    /// - Parameter role: the reader's role. A viewer does not see the responses of the merchant's backend.
    func view(for role: OperatorRole) -> View {
        let earlier = attempts.count - attempts.newest.count
        return [
            "id": .text(identifier), "type": .text(type ?? "unreadable"), "at": View(occurredAt),
            "state": .text(state.label),
            "tone": .text(state.tone), "next": View(nextAt),
            "deliveries": View(attempts.newest.reversed().map { $0.view(withAnswer: role.may(.seeBackendAnswers)) }),
            "earlier": earlier > 0 ? "\(earlier)" : .none,
        ]
    }
}

extension EventView.State {
    fileprivate var label: String {
        switch self {
        case .acknowledged: "Acknowledged"
        case .due: "Being sent"
        case .waiting: "Waits for the one before"
        case .deadLettered: "No longer sent"
        }
    }

    fileprivate var tone: String {
        switch self {
        case .acknowledged: "good"
        case .due: "open"
        case .waiting: "quiet"
        case .deadLettered: "bad"
        }
    }
}

extension DeliveryAttempt {
    fileprivate func view(withAnswer: Bool) -> View {
        [
            "at": View(at), "status": View(status.map { "\($0)" }), "error": View(error),
            "milliseconds": "\(milliseconds)", "endpoint": .text(endpoint), "next": View(nextAt),
            "answer": withAnswer ? View(answer) : .none,
        ]
    }
}
