/// The life of one payment, pure: it is told what happened and says what to do. Nothing here waits, writes or sends.
///
/// The rule behind every line: only a verified answer settles a payment. Silence, and any answer that proves nothing,
/// leaves it `uncertain` until a verified answer says more. What is done with a settled payment is in the extension.
public struct PaymentStateMachine: Sendable, Equatable {
    /// What the shell does next.
    public enum Action: Sendable, Equatable {
        /// Record the new state, and the answer that proves it where there is one; only then may anyone be told.
        case record(ProcessorAnswer?, reason: String?)
        /// The same, for the operation that is open and for the payment with it.
        case recordOperation(ProcessorAnswer?, reason: String?)
        /// Record the operation; only then may it be sent.
        ///
        case begin(amount: MinorUnits)
        /// Begin no operation.
        case refuse(OperationRefusal)
        /// Money may have moved that this service did not move: ask the processor.
        case lookInto(OperationCommand, amount: MinorUnits)
        /// Nothing changed; ask the processor again later.
        case askAgain(reason: String)
        /// Nothing changed and nothing is open.
        case rest
    }

    public internal(set) var state: PaymentState
    public internal(set) var balance: Balance
    /// Where the open operation stands, or stood until this event settled it.
    public internal(set) var operation: PaymentOperation?
    /// What was asked for.
    let amount: MinorUnits
    /// How long a payment is uncertain before "no such order" is taken for final: until then the request may still be on
    /// its way.
    let notFoundAfter: Duration
    /// The same for an operation that the processor's totals do not show. It is longer, because totals do not show either
    /// what the processor has on hold.
    let operationNotFoundAfter: Duration

    init(_ payment: Payment, policy: PaymentRelay.Policy) {
        self.init(
            state: payment.state, amount: payment.amount, balance: payment.balance, operation: payment.openOperation,
            notFoundAfter: policy.notFoundAfter, operationNotFoundAfter: policy.operationNotFoundAfter)
    }

    init(
        state: PaymentState = .processing, amount: MinorUnits, balance: Balance = Balance(),
        operation: PaymentOperation? = nil, notFoundAfter: Duration, operationNotFoundAfter: Duration? = nil
    ) {
        self.state = state
        self.amount = amount
        self.balance = balance
        self.operation = operation
        self.notFoundAfter = notFoundAfter
        self.operationNotFoundAfter = operationNotFoundAfter ?? notFoundAfter
    }

    /// Takes in what happened.
    public mutating func handle(_ event: PaymentInput) -> Action {
        if let operation { return handle(event, during: operation) }
        return switch (state, event) {
        case (.processing, .charged(let report)): afterCharge(report)
        case (.processing, .interrupted): become(.uncertain, reason: "the relay stopped before an answer arrived")
        case (.uncertain, .queried(let report, let timeUncertain)): afterQuery(report, timeUncertain: timeUncertain)
        case (.processing, .informed(let notification)), (.uncertain, .informed(let notification)):
            afterNotification(notification)
        case (.processing, .asked), (.uncertain, .asked): .refuse(.inFlight)
        // An open payment is not settled by an event that cannot concern it.
        case (.processing, _), (.uncertain, _):
            .askAgain(reason: "the event does not fit the state \(state.rawValue)")
        case (.notProcessed, .queried(.answered(let answer), _)): correct(by: answer)
        case (.notProcessed, .informed(let notification)) where notification.isAboutCharge:
            correct(by: notification.answer)
        case (.authorized, _), (.partiallyCaptured, _), (.captured, _), (.partiallyRefunded, _), (.refunded, _),
            (.voided, _):
            handleSettled(event)
        case (.notSent, .asked), (.declined, .asked), (.notProcessed, .asked):
            .refuse(.notAllowed(reason: "the payment is \(state.rawValue)"))
        case (.notSent, _), (.declined, _), (.notProcessed, _): .rest
        }
    }

    private mutating func afterCharge(_ report: ProcessorReport) -> Action {
        switch report {
        case .notSent(let reason): become(.notSent, reason: reason)
        case .unanswered(let reason): become(.uncertain, reason: reason)
        case .answered(let answer):
            settle(by: answer) ?? become(.uncertain, provenBy: answer, reason: answer.meaning.openReason)
        }
    }

    private mutating func afterQuery(_ report: ProcessorReport, timeUncertain: Duration) -> Action {
        switch report {
        case .notSent(let reason), .unanswered(let reason): .askAgain(reason: reason)
        case .answered(let answer):
            if let settled = settle(by: answer) {
                settled
            } else if answer.meaning == .notFound, timeUncertain >= notFoundAfter {
                become(.notProcessed, provenBy: answer)
            } else {
                .askAgain(reason: answer.meaning.openReason)
            }
        }
    }

    private mutating func afterNotification(_ notification: ProcessorNotification) -> Action {
        guard notification.isAboutCharge else { return .askAgain(reason: "the processor has the order") }
        return settle(by: notification.answer) ?? .askAgain(reason: notification.answer.meaning.openReason)
    }

    /// The processor said that it never saw the order, and now that it has it. What is proven counts.
    private mutating func correct(by answer: ProcessorAnswer) -> Action {
        guard answer.meaning != .declined else { return .rest }
        return settle(by: answer, reason: "the request reached the processor after all") ?? .rest
    }

    /// Nil where the answer settles nothing.
    private mutating func settle(by answer: ProcessorAnswer, reason: String? = nil) -> Action? {
        switch answer.meaning {
        case .declined: return become(.declined, provenBy: answer, reason: reason)
        case .voided: return become(.voided, provenBy: answer, reason: reason)
        case .authorized: balance = Balance()
        case .captured: balance = answer.totals ?? Balance(captured: answer.captured ?? amount)
        case .refunded: balance = answer.totals ?? Balance(captured: amount, refunded: amount)
        case .pending, .duplicate, .notFound: return nil
        }
        return become(balance.state(of: amount), provenBy: answer, reason: reason)
    }

    mutating func become(
        _ next: PaymentState, provenBy answer: ProcessorAnswer? = nil, reason: String? = nil
    ) -> Action {
        state = next
        return .record(answer, reason: reason)
    }
}

extension ProcessorAnswer.Meaning {
    /// Why the answer leaves a payment open.
    var openReason: String {
        switch self {
        case .pending(let reason): reason
        case .duplicate: "the processor already has this order"
        case .notFound: "the processor does not find the order; the request may still be on its way"
        case .authorized, .captured, .declined, .voided, .refunded: ""
        }
    }
}
