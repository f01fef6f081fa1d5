import FoundationEssentials
import PayrelayPrimitives

/// An input of the payment's state machine. A notification of the gateway is not an input: it makes the relay query
/// the gateway (`Hints/`).
enum PaymentInput: Sendable, Equatable {
    /// The charge was sent, or was not; the value is the result.
    case charged(Outcome<GatewayAnswer>)
    /// An operation was sent, or was not. The values are the operation as it was when it was sent, and the result.
    ///
    /// `status` is the answer to the query that followed a refusal; `nil` if there was no such query.
    case performed(PaymentOperation, Outcome<GatewayAnswer>, status: Outcome<GatewayAnswer>? = nil)
    /// The process that was sending the charge, or the operation, ended before it recorded an answer.
    case interrupted
    /// The gateway was queried about the payment, and about its open operation if there is one.
    ///
    /// `timeUncertain` is how long the payment, or its operation, had been uncertain when the query was sent. If
    /// nothing was open, it is how long the payment had not changed.
    case queried(Outcome<GatewayAnswer>, timeUncertain: Duration)
}

/// Result of applying an input to a payment.
enum PaymentDecision: Sendable, Equatable {
    /// Record the change. A client may be answered with it only after that.
    case record(Change)
    /// Nothing changed. Either something is still open, or the answer may be an old one. The gateway is queried
    /// again later.
    case stillOpen(reason: String)
    /// Nothing changed, and nothing is open.
    case unchanged
}

/// The state machine of one payment. It is pure: nothing here waits, writes or sends.
///
/// The rule behind every line: only a verified answer to our own query or request settles a payment. After silence,
/// or an answer that proves nothing, the payment is `uncertain` until a verified answer proves more.
///
/// Three rules decide how a verified answer is read:
/// - Totals are proof, statuses are opinions. A status is about the last operation, and totals are about the order.
/// - Totals only grow. Totals below what was proven prove nothing (``GatewayAnswer/isBehind(_:)``).
/// - Nothing stays open silently. After the documented time (``NotFoundPatience``) totals decide. If they cannot, a
///   contradiction is recorded, and an operator is alerted.
///
/// The rules are in these files:
/// - `ChargeOutcome.swift`: the outcome of a charge.
/// - `OperationOutcome.swift`: the outcome of a capture, a void or a refund.
/// - `ChargedAfterAll.swift`, `SecondCharge.swift`, `DoneElsewhere.swift`, `TakenBack.swift`: the meaning of an
///   answer for a payment whose outcome was known.
/// - `Operations/RemainingAmount.swift`: the operations that may begin.
extension Payment {
    /// Returns the decision on an input.
    ///
    /// - Parameters:
    ///   - occasion: the time of the decision and the origin of the input.
    ///   - patience: how long an undecided answer leaves the payment or the operation open.
    func apply(_ input: PaymentInput, on occasion: Occasion, patience: NotFoundPatience) -> PaymentDecision {
        switch input {
        case .charged(let report): afterCharge(report, on: occasion)
        case .performed(let operation, let report, let status):
            afterOperation(report, to: operation, status: status, on: occasion)
        case .interrupted: afterInterruption(on: occasion)
        case .queried(.notSent(let reason), _), .queried(.unknown(let reason), _):
            isOpen ? .stillOpen(reason: reason) : .unchanged
        case .queried(.answered(let answer), let timeUncertain):
            if let openOperation {
                afterQuery(
                    answer, about: openOperation,
                    isTimeOver: patience.isOver(for: openOperation, after: timeUncertain, answer: answer), on: occasion)
            } else if state.isOpen {
                afterQuery(
                    answer, isTimeOver: patience.isOver(for: self, after: timeUncertain, answer: answer), on: occasion)
            } else {
                examine(answer, isNewer: patience.isNewer(thanChange: timeUncertain), on: occasion)
            }
        }
    }

    private func afterInterruption(on occasion: Occasion) -> PaymentDecision {
        let reason = "the relay stopped before an answer arrived"
        if let openOperation {
            return openOperation.state == .processing
                ? .record(ending(openOperation, as: .uncertain, reason: reason, on: occasion)) : withoutChange
        }
        return state == .processing ? .record(becoming(.uncertain, reason: reason, on: occasion)) : withoutChange
    }

    /// The decision on an input about a step that has ended in the meantime.
    var withoutChange: PaymentDecision {
        isOpen ? .stillOpen(reason: "the input is about another step") : .unchanged
    }
}

extension GatewayAnswer.Meaning {
    /// Why the answer leaves the payment or the operation open.
    var openReason: String {
        switch self {
        case .pending(let reason): reason
        case .duplicate: "the gateway already has this order"
        case .notFound: "the gateway does not find the order; the request may still be on its way"
        case .authorized, .captured, .declined, .voided, .refunded: "the gateway says \(word), which proves no amount"
        }
    }

    /// The answer in one word, for the history and the log.
    var word: String {
        switch self {
        case .authorized: "authorized"
        case .captured: "captured"
        case .declined: "declined"
        case .voided: "voided"
        case .refunded: "refunded"
        case .pending: "pending"
        case .duplicate: "duplicate"
        case .notFound: "not found"
        }
    }
}
