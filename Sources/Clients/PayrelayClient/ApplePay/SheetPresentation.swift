#if canImport(PassKit) && !os(macOS)
import Foundation
import PassKit
import PayrelayAPI
import PayrelayPrimitives

/// One presentation of Apple's payment sheet. It carries out the decisions of ``SheetSession``.
///
/// PassKit does not guarantee on which thread it calls its delegate. The sheet itself is used only on the main
/// thread.
// Safe: everything that changes is read and changed only under the lock. `Mutex` requires iOS 18.
nonisolated final class SheetPresentation: NSObject, PKPaymentAuthorizationControllerDelegate, @unchecked Sendable {
    typealias Completion = (PKPaymentAuthorizationResult) -> Void

    /// The time limit for the sheet to close. It normally closes within a second or two of its result.
    private static let secondsToDismiss = 10.0
    /// The maximum age of an order token that is sent. For an older token, the client requests a new one.
    private static let secondsOfOrderToken = 120.0

    private let client: any RelayPayments
    private let limit: TimeLimit
    private let currency: Currency
    private let lock = NSLock()
    private var order: Order
    /// The order token of the app's last answer to a change, and when the app gave it.
    private var orderToken: (text: String, since: Double)?
    private var session: SheetSession
    private var payments: [Int: (AppleToken, SheetContact)] = [:]
    private var completions: [Int: Completion] = [:]
    private var authorizations = 0
    private var controller: PKPaymentAuthorizationController?
    /// `nil` if the total does not change.
    private var changes: SheetChangeExchange?
    private var delegate: ChangingSheetDelegate?
    private var continuation: CheckedContinuation<SheetSession.Outcome, Never>?

    init(
        _ client: any RelayPayments, _ order: Order, asking fields: Set<SheetContactField>, texts: CustomerTexts,
        within limit: TimeLimit
    ) {
        self.client = client
        self.order = order
        self.limit = limit
        currency = order.currency
        session = SheetSession(asking: fields, texts: texts)
    }

    @MainActor
    func begin(
        _ request: PKPaymentRequest, onChange: SheetChangeHandler?,
        _ continuation: CheckedContinuation<SheetSession.Outcome, Never>
    ) {
        let controller = PKPaymentAuthorizationController(paymentRequest: request)
        let changes = onChange.map {
            SheetChangeExchange(request, in: currency, within: limit, client.clock, $0)
        }
        let delegate = changes.map { _ in ChangingSheetDelegate(self) }
        controller.delegate = delegate ?? self
        let mayPresent = lock.withLock {
            self.controller = controller
            self.changes = changes
            self.delegate = delegate
            self.continuation = continuation
            return session.isOpen
        }
        // The task was cancelled before there was a sheet to close.
        guard mayPresent else { return handle(.dismissed) }
        controller.present { self.handle(.presented($0)) }
    }

    func cancel() {
        handle(.cancelled)
    }

    func paymentAuthorizationController(
        _ controller: PKPaymentAuthorizationController, didAuthorizePayment payment: PKPayment,
        handler completion: @escaping (PKPaymentAuthorizationResult) -> Void
    ) {
        let token = try? AppleToken(payment)
        let contact = SheetContact(payment)
        let number = lock.withLock {
            authorizations += 1
            completions[authorizations] = completion
            payments[authorizations] = token.map { ($0, contact) }
            return authorizations
        }
        handle(.authorized(number, hasToken: token != nil))
    }

    func paymentAuthorizationControllerDidFinish(_ controller: PKPaymentAuthorizationController) {
        // PassKit requires the app to dismiss the sheet.
        lock.withLock { dismiss() }
        handle(.dismissed)
    }

    /// Handles a choice of the customer. The completion is called once, on the main thread.
    func change(
        _ field: SheetSelection.Field, _ choose: (inout SheetSelection) -> Void,
        completion: @escaping (SheetAnswer) -> Void
    ) {
        guard let changes = lock.withLock({ self.changes }) else { return }
        let number = changes.add(field, choose, completion: completion)
        handle(.changed(number))
        changes.limit(number) { self.handle(.answered(number, $0)) }
    }

    /// Handles an event. The lock is held until the end, so that all effects of one event are carried out before
    /// those of the next. Nothing here waits or calls code of the app.
    private func handle(_ event: SheetSession.Event) {
        lock.withLock {
            for effect in session.next(event) {
                switch effect {
                case .pay(let number): pay(number)
                case .complete(let number, let result): complete(number, result)
                case .ask(let number): ask(number)
                case .show(let number): show(number)
                case .reject(let number): reject(number)
                case .dismiss: dismiss()
                case .awaitDismissal: awaitDismissal()
                case .finish: finish()
                }
            }
        }
    }

    private func pay(_ number: Int) {
        guard let (token, contact) = payments.removeValue(forKey: number) else { return }
        order = contact.applied(to: order)
        let (client, order, orderToken, limit) = (client, order, orderToken, limit)
        // A separate task, so that the payment continues even if the waiting task is cancelled.
        Task {
            let isFresh = orderToken.map { client.clock.now - $0.since < Self.secondsOfOrderToken } ?? false
            let result = await client.payForSheet(
                order, with: token, orderToken: isFresh ? orderToken?.text : nil, within: limit)
            handle(.paid(number, result))
        }
    }

    private func complete(_ number: Int, _ result: SheetResult) {
        // Removed from the dictionary, so that it is called only once. PassKit does not declare the thread for
        // its block; it is called on the main thread.
        nonisolated(unsafe) let completion = completions.removeValue(forKey: number)
        Task { @MainActor in completion?(PKPaymentAuthorizationResult(result)) }
    }

    private func ask(_ number: Int) {
        changes?.ask(number) { self.handle(.answered(number, $0)) }
    }

    private func show(_ number: Int) {
        let changes = changes
        Task { @MainActor in
            if let agreement = changes?.show(number) {
                let now = client.clock.now
                // No payment can begin between the display of the new total and this, because the session is
                // notified only afterwards.
                lock.withLock {
                    order.amount = agreement.amount
                    orderToken = (agreement.orderToken, now)
                }
            }
            handle(.shown(number))
        }
    }

    private func reject(_ number: Int) {
        let changes = changes
        Task { @MainActor in changes?.reject(number) }
    }

    private func dismiss() {
        // Safe: used only on the main thread.
        nonisolated(unsafe) let controller = self.controller
        Task { @MainActor in controller?.dismiss { self.handle(.dismissed) } }
    }

    private func awaitDismissal() {
        Task {
            try await client.clock.sleep(seconds: Self.secondsToDismiss)
            handle(.patienceIsOver)
        }
    }

    private func finish() {
        let (continuation, outcome) = (continuation, session.outcome)
        self.continuation = nil
        controller = nil
        delegate = nil
        // Not under the lock: resuming takes the lock of the waiting task, and cancelling that task takes the
        // locks in the reverse order.
        Task { @MainActor in if let outcome { continuation?.resume(returning: outcome) } }
    }
}
#endif
