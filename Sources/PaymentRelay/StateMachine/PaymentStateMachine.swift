import PayrelayPrimitives

/// The life of one payment, pure: it takes one input at a time and says what has become of the payment. Nothing here
/// waits, writes or sends.
///
/// The rule behind every line: only a verified answer to our own question or request settles a payment. Silence, and any answer that
/// proves nothing, leaves it `uncertain` until a verified answer says more. What the processor says unasked is no input: it makes the
/// relay ask (`Hints/`).
///
/// `ChargeOutcome.swift` decides what becomes of a charge, `OperationOutcome.swift` what becomes of a capture, a void or a
/// refund, `ChargedAfterAll.swift` and `DoneElsewhere.swift` what an answer says of a payment whose outcome was known, and
/// `RemainingAmount.swift` which operations may begin.
struct PaymentStateMachine: Sendable, Equatable {
    /// What an input has changed.
    enum Outcome: Sendable, Equatable {
        /// To be recorded; only then may any client be answered with it.
        case record(Transition)
        /// Nothing changed, and something is still open: the processor is asked again later.
        case stillOpen(reason: String)
        /// Nothing changed, and nothing is open.
        case unchanged
    }

    /// A change of the payment, with the verified answer that proves it where there is one.
    enum Transition: Sendable, Equatable {
        /// Of the payment's own state.
        case charge(provenBy: ProcessorAnswer?, reason: String?)
        /// Of the open operation, given in its new state, and of the payment with it.
        case operation(PaymentOperation, provenBy: ProcessorAnswer?, reason: String?)
        /// Of the payment, which loses the open operation: nothing left the process, and what was not sent is no operation.
        case operationNotSent(PaymentOperation, reason: String)
        /// None: the processor has another charge under the payment's reference.
        case secondCharge(provenBy: ProcessorAnswer, reason: String)
    }

    var state: PaymentState
    var balance: Balance
    /// The open operation, or the one that the last input has ended.
    var operation: PaymentOperation?
    /// What was authorized, or is to be.
    let amount: MinorUnits
    /// The processor's own number of the charge that is known; nil while none is.
    let processorReference: String?
    /// How long a payment is uncertain before "no such order" is final: until then the request may still be under way.
    let notFoundAfter: Duration
    /// The same for an operation that the processor's totals do not show. It is longer, because totals do not show
    /// either what the processor has on hold.
    let operationNotFoundAfter: Duration

    init(_ payment: Payment, policy: PaymentRelay.Policy) {
        self.init(
            state: payment.state, amount: payment.amount, balance: payment.balance, operation: payment.openOperation,
            processorReference: payment.state.isOpen ? nil : payment.processorReference,
            notFoundAfter: policy.notFoundAfter, operationNotFoundAfter: policy.operationNotFoundAfter)
    }

    init(
        state: PaymentState = .processing, amount: MinorUnits, balance: Balance = Balance(),
        operation: PaymentOperation? = nil, processorReference: String? = nil, notFoundAfter: Duration,
        operationNotFoundAfter: Duration? = nil
    ) {
        self.state = state
        self.amount = amount
        self.balance = balance
        self.operation = operation
        self.processorReference = processorReference
        self.notFoundAfter = notFoundAfter
        self.operationNotFoundAfter = operationNotFoundAfter ?? notFoundAfter
    }

    /// The process that was sending the charge, or the operation, ended before it recorded an answer.
    mutating func afterInterruption() -> Outcome {
        let reason = "the relay stopped before an answer arrived"
        if let operation {
            return operation.state == .processing
                ? .record(end(operation, as: .uncertain, reason: reason)) : withoutChange
        }
        return state == .processing ? .record(become(.uncertain, reason: reason)) : withoutChange
    }

    /// The processor was asked what became of the payment, and of its open operation where it has one.
    ///
    /// - Parameter timeUncertain: how long the payment, or its operation, had been uncertain when the question was sent.
    mutating func afterStatus(_ report: ProcessorReport, timeUncertain: Duration) -> Outcome {
        switch report {
        case .notSent(let reason), .unanswered(let reason): isOpen ? .stillOpen(reason: reason) : .unchanged
        case .answered(let answer):
            if let operation {
                afterStatus(answer, of: operation, timeUncertain: timeUncertain)
            } else {
                afterStatus(answer, timeUncertain: timeUncertain)
            }
        }
    }

    private var isOpen: Bool { state.isOpen || operation != nil }

    /// For an input about something that has ended in the meantime.
    var withoutChange: Outcome { isOpen ? .stillOpen(reason: "the input is about another step") : .unchanged }

    mutating func become(
        _ next: PaymentState, provenBy answer: ProcessorAnswer? = nil, reason: String? = nil
    ) -> Transition {
        state = next
        return .charge(provenBy: answer, reason: reason)
    }

    mutating func notSent(_ open: PaymentOperation, reason: String) -> Transition {
        operation = nil
        return .operationNotSent(open, reason: reason)
    }

    mutating func end(
        _ open: PaymentOperation, as next: PaymentOperation.State, provenBy answer: ProcessorAnswer? = nil,
        reason: String? = nil
    ) -> Transition {
        var ended = open
        ended.state = next
        operation = ended
        return .operation(ended, provenBy: answer, reason: reason)
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
