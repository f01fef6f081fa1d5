import PaymentRelay

/// Why a payment is open, and what an operator should do next.
struct NextStep {
    /// The cause in a few words, by which payments are grouped.
    let cause: String
    let why: String
    let advice: String
    /// The section in the runbook, docs/runbook.md.
    let section: String

    /// - Parameters:
    ///   - newest: the last query that changed nothing.
    ///   - unavailability: why no request about the payment is sent; `nil` if its account is available.
    ///   - gateway: the gateway's title.
    init(
        for payment: Payment, after newest: QueryWithoutChange?, unavailability: AccountUnavailability?,
        isOverdue: Bool, at gateway: String
    ) {
        if let unavailability {
            cause = "\(gateway) is not queried: the account is not available"
            why = Self.isNotAsked(about: payment, because: unavailability)
            advice = Self.advice(for: unavailability)
            section = "Payments that stay uncertain"
            return
        }
        guard let newest else {
            cause = "Not queried yet"
            why = payment.isOpen ? "\(gateway) has not said yet what became of it." : ""
            advice = isOverdue ? "Ask \(gateway) now." : "Wait: the relay sends queries by itself, within a minute."
            section = "Payments that stay uncertain"
            return
        }
        let reason = newest.reason.map { ": \($0)" } ?? ""
        why = "\(gateway) was queried: \(newest.answer.words)\(reason)."
        switch newest.answer {
        case .implausible:
            cause = "\(gateway)'s answers are about another order"
            advice = Self.willNotSettle(at: gateway)
            section = "Answers that cannot be true"
        case .contradictory:
            cause = "\(gateway)'s answers contradict, or do not decide"
            advice =
                "It will not settle by itself: \(gateway)'s answers contradict what is recorded, or do not decide. Look the payment up in \(gateway)'s dashboard, and let \(gateway) say whether money moved."
            section = "Answers that contradict or do not decide"
        case .unanswered, .notSent:
            cause = "\(gateway) does not answer"
            advice =
                "Nothing, if \(gateway) is down: the relay sends queries until it answers. If other payments are answered, call \(gateway)."
            section = "\(gateway) does not answer"
        case .open, .unchanged:
            cause = isOverdue ? "Open at \(gateway) for too long" : "Still open at \(gateway)"
            advice =
                isOverdue
                ? "Look it up in \(gateway)'s dashboard by its reference: it is on hold or in review there."
                : "Wait: the relay sends queries by itself."
            section = "Payments that stay uncertain"
        }
    }

    /// Returns the advice for a payment whose reference another order has, too.
    static func willNotSettle(at gateway: String) -> String {
        "It will not settle by itself: what \(gateway) has under this reference is not this payment, most often another order's charge. Compare both in \(gateway)'s dashboard, and let \(gateway) say whether this one was charged. A new try needs a new reference."
    }

    static func isNotAsked(about payment: Payment, because unavailability: AccountUnavailability) -> String {
        switch unavailability {
        case .notConfigured:
            "The gateway is not queried: the account \(payment.qualifiedAccount) is not configured."
        case .otherMerchant(let was, let now):
            "The gateway is not queried: the account \(payment.qualifiedAccount) was merchant \(was)'s when it charged this payment, and is \(now)'s."
        }
    }

    static func advice(for unavailability: AccountUnavailability) -> String {
        switch unavailability {
        case .notConfigured: "Have it configured again and the relay restarted: then the relay sends queries by itself."
        case .otherMerchant:
            "Have that merchant's account configured under this name again, the other merchant's under a name of its own, and the relay restarted: then the relay sends queries by itself."
        }
    }

    var view: View {
        ["why": .text(why), "advice": .text(advice), "section": .text(section)]
    }
}

extension [QueryWithoutChange] {
    /// The last query.
    var newest: QueryWithoutChange? { self.max { $0.last < $1.last } }
}
