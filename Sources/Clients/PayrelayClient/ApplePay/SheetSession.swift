/// Decides what one presentation of the payment sheet does. It does no I/O and has no clock of its own.
///
/// Four rules decide: each authorization is completed once; a payment that was sent is never reported as cancelled; after an
/// outcome that is not to be corrected in the sheet no second payment leaves it; and what is authorized while the app has not agreed
/// to a change in the sheet is not sent.
struct SheetSession {
    typealias Outcome = Result<CheckoutOutcome, RelayError>

    enum Event {
        case presented(Bool)
        /// The customer authorized. The number names the authorization; no token where it cannot be read.
        case authorized(Int, hasToken: Bool)
        /// The payment of an authorization has ended with this result.
        case paid(Int, Result<PaymentResult, RelayError>)
        /// The customer chose something in a sheet whose total may change. The number names the change.
        case changed(Int)
        /// The app's answer to a change; a failure also where it is late.
        case answered(Int, Result<Answer, OrderTokenFailure>)
        /// The sheet shows the answer to a change.
        case shown(Int)
        /// The sheet is gone: closed by the customer, by its own time limit, by the system, or by the app.
        case dismissed
        /// The task that waits for the outcome was cancelled.
        case cancelled
        /// A sheet that was to close has not said so.
        case patienceIsOver
    }

    enum Answer {
        case agreed, refused
    }

    enum Effect: Equatable {
        case pay(Int)
        case complete(Int, SheetResult)
        /// Ask the app about a change.
        case ask(Int)
        /// Show the app's answer to a change: ``Event/shown(_:)`` is due.
        case show(Int)
        /// Tell the sheet that a change could not be made.
        case reject(Int)
        case dismiss
        /// The sheet is to close: ``Event/patienceIsOver`` is due in some seconds.
        case awaitDismissal
        case finish
    }

    private enum Phase {
        /// Nothing is under way. The error is that of the last payment, where the customer was asked to correct fields.
        case open(RelayError?)
        case paying(Int)
        case settled(Outcome)
        case over(Outcome)
    }

    private let fields: Set<SheetContactField>
    private let texts: CustomerTexts
    private var phase = Phase.open(nil)
    private var changes = SheetChanges()
    private var isDismissed = false
    private var isCancelled = false

    /// - Parameters:
    ///   - fields: those that the sheet asks the customer for.
    ///   - texts: for marked fields.
    init(asking fields: Set<SheetContactField>, texts: CustomerTexts) {
        self.fields = fields
        self.texts = texts
    }

    /// Whether an authorization would be paid.
    var isOpen: Bool { if case .open = phase { true } else { false } }

    /// Nil until the session is over.
    var outcome: Outcome? { if case .over(let outcome) = phase { outcome } else { nil } }

    mutating func next(_ event: Event) -> [Effect] {
        switch (event, phase) {
        case (.presented(false), .open):
            return end(.failure(.invalidConfiguration("the payment sheet cannot be presented")))
        case (.authorized(let number, _), .open) where !changes.isAgreed:
            let failure = OrderTokenFailure(SheetChangeFailure.notAgreed)
            return [.complete(number, .failureWithoutRetry)] + settle(.failure(.orderTokenUnavailable(failure)))
        case (.authorized(let number, hasToken: true), .open) where !isDismissed:
            phase = .paying(number)
            return [.pay(number)]
        case (.authorized(let number, hasToken: false), .open):
            let refusal = RelayError.tokenRefused(check: nil, detail: "the sheet's token cannot be read")
            return [.complete(number, .failureWithoutRetry)] + settle(.failure(refusal))
        case (.authorized(let number, _), _):
            return [.complete(number, .failureWithoutRetry)]
        case (.paid(let number, let result), .paying(let current)) where number == current:
            return next(after: result, of: number)
        case (.changed(let number), .open):
            return changes.add(number).map { [.ask($0)] } ?? []
        case (.changed(let number), _):
            return [.reject(number)]
        case (.answered(let number, .failure(let failure)), .open) where changes.awaitsAnswer(to: number):
            return settle(.failure(.orderTokenUnavailable(failure)))
        case (.answered(let number, .success(let answer)), .open):
            return changes.answer(number, isAgreed: answer == .agreed) ? [.show(number)] : []
        case (.shown(let number), .open):
            return changes.shown(number).map { [.ask($0)] } ?? []
        case (.dismissed, .open(let refusal)):
            isDismissed = true
            return end(refusal.map { .failure($0) } ?? .success(.cancelled))
        case (.dismissed, .paying):
            isDismissed = true
            return []
        case (.cancelled, .open(let refusal)):
            return settle(refusal.map { .failure($0) } ?? .success(.cancelled))
        case (.cancelled, .paying):
            isCancelled = true
            return []
        case (.dismissed, .settled(let outcome)), (.patienceIsOver, .settled(let outcome)):
            return end(outcome)
        case (.presented, _), (.paid, _), (.answered, _), (.shown, _), (.dismissed, .over), (.cancelled, _),
            (.patienceIsOver, _):
            return []
        }
    }

    private mutating func next(after result: Result<PaymentResult, RelayError>, of number: Int) -> [Effect] {
        // Fields are marked only where there is still a sheet, and a task that waits for it.
        let shown = SheetResult(result, asking: isDismissed || isCancelled ? [] : fields, texts: texts)
        let outcome: Outcome = result.map { .paid($0) }
        switch (shown, result) {
        case (.failure, .failure(let error)):
            phase = .open(error)
            return [.complete(number, shown)]
        // The sheet shows the success for a moment, and closes by itself.
        case (.success, _) where !isDismissed:
            phase = .settled(outcome)
            return [.complete(number, shown), .awaitDismissal]
        default:
            return [.complete(number, shown)] + settle(outcome)
        }
    }

    /// Closes the sheet, where it is still there, and then ends.
    private mutating func settle(_ outcome: Outcome) -> [Effect] {
        guard !isDismissed else { return end(outcome) }
        phase = .settled(outcome)
        return changes.end().map { .reject($0) } + [.dismiss, .awaitDismissal]
    }

    private mutating func end(_ outcome: Outcome) -> [Effect] {
        phase = .over(outcome)
        return changes.end().map { .reject($0) } + [.finish]
    }
}

/// The outcome of a payment sheet.
public enum CheckoutOutcome: Sendable, Hashable {
    /// The customer authorized the payment, and the relay answered; look at the result, which may be `.declined` or
    /// `.uncertain`.
    case paid(PaymentResult)
    /// The sheet was closed before an authorization. Nothing was sent.
    case cancelled
}
