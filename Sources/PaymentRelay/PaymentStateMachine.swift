/// The life of one payment, pure: it is told what happened and says what to do. Nothing here waits, writes or sends.
///
/// The rule behind every line: only a verified answer settles a payment. Silence, and any answer that proves nothing,
/// leaves it `uncertain` until a verified answer says more.
public struct PaymentStateMachine: Sendable, Equatable {
    /// What the shell does next.
    public enum Action: Sendable, Equatable {
        /// Record the new state, and the answer that proves it where there is one; only then may anyone be told.
        case record(ProcessorAnswer?, reason: String?)
        /// Nothing changed; ask the processor again later.
        case askAgain(reason: String)
        /// Nothing changed and nothing is open.
        case rest
    }

    public private(set) var state: PaymentState
    /// How long a payment is uncertain before "no such order" is taken for final: until then the request may still be on
    /// its way.
    public let notFoundAfter: Duration

    public init(state: PaymentState = .processing, notFoundAfter: Duration) {
        self.state = state
        self.notFoundAfter = notFoundAfter
    }

    /// Takes in what happened.
    public mutating func handle(_ event: PaymentEvent) -> Action {
        switch (state, event) {
        case (.processing, .charged(let report)): afterCharge(report)
        case (.processing, .interrupted): become(.uncertain, reason: "the relay stopped before an answer arrived")
        case (.uncertain, .queried(let report, let timeUncertain)): afterQuery(report, timeUncertain: timeUncertain)
        // A settled payment is never reopened, and an open one is not settled by an event that cannot concern it.
        case (.processing, .queried), (.uncertain, .charged), (.uncertain, .interrupted):
            .askAgain(reason: "the event does not fit the state \(state.rawValue)")
        case (.notSent, _), (.authorized, _), (.captured, _), (.declined, _), (.voided, _), (.refunded, _),
            (.notProcessed, _):
            .rest
        }
    }

    private mutating func afterCharge(_ report: ProcessorReport) -> Action {
        switch report {
        case .notSent(let reason): become(.notSent, reason: reason)
        case .unanswered(let reason): become(.uncertain, reason: reason)
        case .answered(let answer):
            if let settled = answer.meaning.settledState {
                become(settled, provenBy: answer)
            } else {
                become(.uncertain, provenBy: answer, reason: answer.meaning.openReason)
            }
        }
    }

    private mutating func afterQuery(_ report: ProcessorReport, timeUncertain: Duration) -> Action {
        switch report {
        case .notSent(let reason), .unanswered(let reason): .askAgain(reason: reason)
        case .answered(let answer):
            if let settled = answer.meaning.settledState {
                become(settled, provenBy: answer)
            } else if answer.meaning == .notFound, timeUncertain >= notFoundAfter {
                become(.notProcessed, provenBy: answer)
            } else {
                .askAgain(reason: answer.meaning.openReason)
            }
        }
    }

    private mutating func become(
        _ next: PaymentState, provenBy answer: ProcessorAnswer? = nil, reason: String? = nil
    ) -> Action {
        state = next
        return .record(answer, reason: reason)
    }
}

extension ProcessorAnswer.Meaning {
    /// The state that the answer settles a payment in; nil where it settles nothing.
    fileprivate var settledState: PaymentState? {
        switch self {
        case .authorized: .authorized
        case .captured: .captured
        case .declined: .declined
        case .voided: .voided
        case .refunded: .refunded
        case .pending, .duplicate, .notFound: nil
        }
    }

    /// Why the answer leaves a payment open.
    fileprivate var openReason: String {
        switch self {
        case .pending(let reason): reason
        case .duplicate: "the processor already has this order"
        case .notFound: "the processor does not find the order; the request may still be on its way"
        case .authorized, .captured, .declined, .voided, .refunded: ""
        }
    }
}
