/// Decides the behavior of one presentation of the payment sheet. Does no I/O and has no clock.
///
/// It follows four rules:
///
/// - Each authorization is completed once.
/// - A payment that was sent is never reported as cancelled.
/// - After an outcome that cannot be corrected in the sheet, no further payment of this sheet is sent.
/// - A payment that is authorized before the app has agreed to a change in the sheet is not sent.
struct SheetSession {
    typealias Outcome = Result<CheckoutOutcome, RelayError>

    enum Event {
        case presented(Bool)
        /// The customer authorized the payment. The number identifies the authorization. `hasToken` is false if
        /// the token cannot be read.
        case authorized(Int, hasToken: Bool)
        /// The payment of an authorization has ended with this result.
        case paid(Int, Result<PaymentResult, RelayError>)
        /// The customer made a choice in a sheet whose total may change. The number identifies the change.
        case changed(Int)
        /// The app answered a change. If the app did not answer in time, this is a failure.
        case answered(Int, Result<Answer, OrderTokenFailure>)
        /// The sheet shows the answer to a change.
        case shown(Int)
        /// The sheet is closed, by the customer, by its own time limit, by the system, or by the app.
        case dismissed
        /// The task that waits for the outcome was cancelled.
        case cancelled
        /// The sheet should have closed, but has not reported it.
        case patienceIsOver
    }

    enum Answer {
        case agreed, refused
    }

    enum Effect: Equatable {
        case pay(Int)
        case complete(Int, SheetResult)
        /// Query the app about a change.
        case ask(Int)
        /// Show the app's answer to a change. ``Event/shown(_:)`` must follow.
        case show(Int)
        /// Report to the sheet that a change could not be made.
        case reject(Int)
        case dismiss
        /// Wait some seconds for the sheet to close. ``Event/patienceIsOver`` follows if it does not.
        case awaitDismissal
        case finish
    }

    private enum Phase {
        /// No payment is under way. If the customer must correct fields, the error is the last payment's error.
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
    ///   - fields: the fields that the sheet requests from the customer.
    ///   - texts: the texts for marked fields.
    init(asking fields: Set<SheetContactField>, texts: CustomerTexts) {
        self.fields = fields
        self.texts = texts
    }

    /// Whether an authorization would be paid now.
    var isOpen: Bool { if case .open = phase { true } else { false } }

    /// The outcome; `nil` until the session is over.
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
        // Fields are marked only if the sheet is still open and a task still waits for it.
        let shown = SheetResult(result, asking: isDismissed || isCancelled ? [] : fields, texts: texts)
        let outcome: Outcome = result.map { .paid($0) }
        switch (shown, result) {
        case (.failure, .failure(let error)):
            phase = .open(error)
            return [.complete(number, shown)]
        // The sheet shows the success for a moment and then closes by itself.
        case (.success, _) where !isDismissed:
            phase = .settled(outcome)
            return [.complete(number, shown), .awaitDismissal]
        default:
            return [.complete(number, shown)] + settle(outcome)
        }
    }

    /// Closes the sheet if it is still open, and then ends the session.
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
    /// The customer authorized the payment, and the relay responded. Check the result, which may be `.declined`
    /// or `.uncertain`.
    case paid(PaymentResult)
    /// The sheet was closed before an authorization. Nothing was sent.
    case cancelled
}
