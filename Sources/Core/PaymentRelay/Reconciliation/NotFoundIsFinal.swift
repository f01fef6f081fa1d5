import FoundationEssentials
import PayrelayPrimitives

/// How long "not found" leaves a payment or an operation open, before it counts as not processed: until then the request
/// may still be on its way. An answer that may be an earlier try's counts as "not found" until then.
struct NotFoundPatience: Sendable, Equatable {
    /// For a charge that the gateway does not find, and has never named.
    let charge: Duration
    /// For an operation that the gateway's totals do not show. It is longer, because totals do not show either what the gateway
    /// has on hold.
    let operation: Duration

    /// How many times longer the gateway is given for what it had: an operation that it said it has on hold, a charge that it has
    /// given its own number. It may be carried out late, and nothing but time ends every wait.
    static let factorOfPending = 24

    /// Whether the time is over in which the gateway could decide about a charge. It is longer if the gateway has the order.
    func isOver(for payment: Payment, after timeUncertain: Duration, answer: GatewayAnswer) -> Bool {
        let hasOrder =
            switch answer.meaning {
            // The first two may be an earlier attempt's.
            case .declined, .voided, .notFound: payment.gatewayReference != nil
            case .authorized, .captured, .refunded, .pending, .duplicate: true
            }
        return timeUncertain >= charge * (hasOrder ? Self.factorOfPending : 1)
    }

    /// Whether the time is over in which the gateway's totals could show an operation. It is longer for what the gateway has on hold.
    func isOver(for open: PaymentOperation, after timeUncertain: Duration, answer: GatewayAnswer) -> Bool {
        let isOnHold = if case .pending = answer.meaning { true } else { open.state == .pending }
        return timeUncertain >= operation * (isOnHold ? Self.factorOfPending : 1)
    }

    /// Returns how long what is open of a payment is left to the gateway's answers: its open operation, or else its charge.
    func duration(for payment: Payment) -> Duration {
        guard let open = payment.openOperation else {
            return charge * (payment.gatewayReference == nil ? 1 : Self.factorOfPending)
        }
        return operation * (open.state == .pending ? Self.factorOfPending : 1)
    }

    /// Whether an answer about a settled payment is certainly newer than the payment's last change.
    func isNewer(thanChange timeUnchanged: Duration) -> Bool { timeUnchanged >= charge }
}

extension Payment {
    /// Whether only the time that has passed makes an answer to a query change the payment, or its operation: the answer does not show what
    /// was queried.
    func isChangedByTime(
        with report: Outcome<GatewayAnswer>, timeUncertain: Duration, on occasion: Occasion,
        patience: NotFoundPatience
    ) -> Bool {
        func isChanged(after time: Duration) -> Bool {
            guard case .record = apply(.queried(report, timeUncertain: time), on: occasion, patience: patience) else {
                return false
            }
            return true
        }
        return isChanged(after: timeUncertain) && !isChanged(after: .zero)
    }
}

extension Outcome<GatewayAnswer> {
    /// Whether both are answers that say the same about the payment. If they differ, one of them is old.
    func saysTheSame(as other: Outcome<GatewayAnswer>) -> Bool {
        guard case .answered(let one) = self, case .answered(let other) = other else { return false }
        return one.meaning == other.meaning && one.authorized == other.authorized && one.captured == other.captured
            && one.totals == other.totals && one.reference == other.reference
    }
}

extension PaymentRelay.Policy {
    var patience: NotFoundPatience { NotFoundPatience(charge: notFoundAfter, operation: operationNotFoundAfter) }
}
