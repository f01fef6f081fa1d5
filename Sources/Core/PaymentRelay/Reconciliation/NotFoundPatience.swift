import FoundationEssentials
import PayrelayPrimitives

/// The time for which "not found" leaves a payment or an operation open. Until then the request may still be on its
/// way. After that, the payment or the operation counts as not processed. An answer that may belong to an earlier
/// attempt counts as "not found" until then.
struct NotFoundPatience: Sendable, Equatable {
    /// For a charge that the gateway does not find and for which it has never given a number.
    let charge: Duration
    /// For an operation that the gateway's totals do not show. It is longer, because totals do not show an
    /// operation that the gateway has put on hold either.
    let operation: Duration
    /// See ``Gateway/refundsShownAfter``.
    var refundsShownAfter = Duration.zero

    /// How many times longer the wait is for a request that the gateway is known to have: an operation that it has
    /// put on hold, or a charge to which it has given a number. The gateway may carry it out late. Every wait ends
    /// at some time.
    static let factorOfPending = 24

    /// Whether the gateway has had enough time to decide about a charge. The time is longer if the gateway has the
    /// order.
    func isOver(for payment: Payment, after timeUncertain: Duration, answer: GatewayAnswer) -> Bool {
        let hasOrder =
            switch answer.meaning {
            case .notFound: payment.gatewayReference != nil
            // They may be about an earlier attempt, also if the number is the known one: the number in an answer to
            // a query may be the earlier attempt's.
            case .declined, .voided: payment.isAboutAnotherCharge(answer)
            case .authorized, .captured, .refunded, .pending, .duplicate: true
            }
        return timeUncertain >= charge * (hasOrder ? Self.factorOfPending : 1)
    }

    /// Whether the gateway's totals have had enough time to show an operation. The time is longer if the gateway
    /// has put the operation on hold.
    func isOver(for open: PaymentOperation, after timeUncertain: Duration, answer: GatewayAnswer) -> Bool {
        let isOnHold = if case .pending = answer.meaning { true } else { open.state == .pending }
        return timeUncertain >= time(for: open, isOnHold: isOnHold)
    }

    /// Returns how long only the gateway's answers may settle the payment's open operation or, if none is open, its
    /// charge.
    func duration(for payment: Payment) -> Duration {
        guard let open = payment.openOperation else {
            return charge * (payment.gatewayReference == nil ? 1 : Self.factorOfPending)
        }
        return time(for: open, isOnHold: open.state == .pending)
    }

    private func time(for open: PaymentOperation, isOnHold: Bool) -> Duration {
        let time = operation * (isOnHold ? Self.factorOfPending : 1)
        return open.command == .refund ? max(time, refundsShownAfter) : time
    }

    /// Whether an answer about a settled payment is certainly newer than the payment's last change.
    func isNewer(thanChange timeUnchanged: Duration) -> Bool { timeUnchanged >= charge }
}

extension Payment {
    /// Whether an answer to a query changes the payment, or its operation, only because of the time that has
    /// passed. The answer itself does not show the charge or the operation.
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

extension PaymentRelay {
    func patience(for payment: Payment) -> NotFoundPatience {
        NotFoundPatience(
            charge: policy.notFoundAfter, operation: policy.operationNotFoundAfter,
            refundsShownAfter: gateways.gateway(named: payment.gateway)?.refundsShownAfter ?? .zero)
    }
}
