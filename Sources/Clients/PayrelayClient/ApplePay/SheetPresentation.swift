#if canImport(PassKit) && !os(macOS)
import Foundation
import PassKit
import PayrelayAPI

/// One presentation of Apple's payment sheet: carries out what ``SheetSession`` decides.
///
/// PassKit does not promise on which thread it calls its delegate; the sheet itself is touched on the main thread alone.
// Safe: what changes is read and changed under the lock alone. `Mutex` needs iOS 18.
nonisolated final class SheetPresentation: NSObject, PKPaymentAuthorizationControllerDelegate, @unchecked Sendable {
    typealias Completion = (PKPaymentAuthorizationResult) -> Void

    /// The sheet closes within a second or two of its result.
    private static let secondsToDismiss = 10.0

    private let client: any RelayPayments
    private let limit: TimeLimit
    private let lock = NSLock()
    private var order: Order
    private var session: SheetSession
    private var payments: [Int: (AppleToken, SheetContact)] = [:]
    private var completions: [Int: Completion] = [:]
    private var authorizations = 0
    private var controller: PKPaymentAuthorizationController?
    private var continuation: CheckedContinuation<SheetSession.Outcome, Never>?

    init(
        _ client: any RelayPayments, _ order: Order, asking fields: Set<SheetContactField>, texts: CustomerTexts,
        within limit: TimeLimit
    ) {
        self.client = client
        self.order = order
        self.limit = limit
        session = SheetSession(asking: fields, texts: texts)
    }

    @MainActor
    func begin(_ request: PKPaymentRequest, _ continuation: CheckedContinuation<SheetSession.Outcome, Never>) {
        let controller = PKPaymentAuthorizationController(paymentRequest: request)
        controller.delegate = self
        let mayPresent = lock.withLock {
            self.controller = controller
            self.continuation = continuation
            return session.isOpen
        }
        // Cancelled before there was a sheet to close.
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
        // PassKit asks the app to take the sheet away.
        lock.withLock { dismiss() }
        handle(.dismissed)
    }

    /// Under the lock to the end, so that what follows from one event is done before what follows from the next. Nothing here
    /// waits or calls anyone.
    private func handle(_ event: SheetSession.Event) {
        lock.withLock {
            for effect in session.next(event) {
                switch effect {
                case .pay(let number): pay(number)
                case .complete(let number, let result): complete(number, result)
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
        let (client, order, limit) = (client, order, limit)
        // A task of its own: the payment goes on when the task that waits for it is cancelled.
        Task { handle(.paid(number, await client.payForSheet(order, with: token, within: limit))) }
    }

    private func complete(_ number: Int, _ result: SheetResult) {
        // Taken out, so it is called once. PassKit's block is not marked as one for any thread; it is called on the main one.
        nonisolated(unsafe) let completion = completions.removeValue(forKey: number)
        Task { @MainActor in completion?(PKPaymentAuthorizationResult(result)) }
    }

    private func dismiss() {
        // Used on the main thread alone.
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
        // Not under the lock: resuming takes the lock of the waiting task, and its cancellation takes them the other way round.
        Task { @MainActor in if let outcome { continuation?.resume(returning: outcome) } }
    }
}
#endif
