public import Foundation

/// The payment sheet with its customer and iOS, as far as the client library meets them. A test drives it. It records the
/// library's calls, and calls the delegate from separate threads, as PassKit may.
///
/// `@unchecked Sendable`: the mutable state is changed only under the lock.
public final class SimulatedSheet: @unchecked Sendable {
    /// The sheet of the controllers that are made in the current task.
    @TaskLocal public static var current: SimulatedSheet?

    /// The result with which an authorization was completed.
    public struct Completion: Sendable {
        public let status: PKPaymentAuthorizationStatus
        public let errors: [any Error]
    }

    /// The result with which a change was completed.
    public struct Update: Sendable {
        public let status: PKPaymentAuthorizationStatus
        /// The amount of the last item, or `nil` if there are no items.
        public let total: Decimal?
        public let labels: [String]
        public let shippingMethods: [String?]
        public let errors: [any Error]

        init(_ update: PKPaymentRequestUpdate, _ errors: [any Error] = []) {
            status = update.status
            total = update.paymentSummaryItems.last?.amount.decimalValue
            labels = update.paymentSummaryItems.map(\.label)
            shippingMethods = update.shippingMethods.map(\.identifier)
            self.errors = errors
        }
    }

    /// The lock is recursive: an authorization and what the sheet shows at that moment are one step.
    private let lock = NSRecursiveLock()
    private let presents: Bool
    private let tellsOfDismissal: Bool
    private let closesOnFailure: Bool
    private var isShown = false
    private var controller: PKPaymentAuthorizationController?
    private var delegate: (any PKPaymentAuthorizationControllerDelegate)?
    private var request: PKPaymentRequest?
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var log: [Int: [Completion]] = [:]
    private var count = 0
    private var updateLog: [Int: [Update]] = [:]
    private var changes = 0
    private var shownTotal: Decimal?
    private var stood: [(total: Decimal?, unanswered: [Int])] = []

    /// - Parameters:
    ///   - presents: Whether iOS can show the sheet.
    ///   - tellsOfDismissal: Whether the sheet reports its closing.
    ///   - closesOnFailure: Whether a failure without errors closes the sheet, as on some versions of iOS.
    public init(presents: Bool = true, tellsOfDismissal: Bool = true, closesOnFailure: Bool = false) {
        self.presents = presents
        self.tellsOfDismissal = tellsOfDismissal
        self.closesOnFailure = closesOnFailure
    }

    /// The completions of each authorization, in order. More or fewer than one is a mistake of the library.
    public var completions: [[Completion]] {
        lock.withLock { count == 0 ? [] : (1...count).map { log[$0] ?? [] } }
    }

    /// The completions of each change, in order. More or fewer than one is a mistake of the library.
    public var updates: [[Update]] {
        lock.withLock { changes == 0 ? [] : (1...changes).map { updateLog[$0] ?? [] } }
    }

    /// The total that the sheet showed at each authorization, or `nil` if a change had no answer yet.
    public var authorizedTotals: [Decimal?] { standing.map { $0.unanswered.isEmpty ? $0.total : nil } }

    /// The total that the sheet showed at each authorization, and the numbers, from 1, of the changes without an answer.
    public var standing: [(total: Decimal?, unanswered: [Int])] { lock.withLock { stood } }

    public var isOpen: Bool { lock.withLock { isShown } }

    public var wasShown: Bool { lock.withLock { controller != nil } }

    /// Waits until the sheet is shown.
    public func shown() async {
        await withCheckedContinuation { continuation in
            let isShown = lock.withLock {
                if !self.isShown { waiting.append(continuation) }
                return self.isShown
            }
            if isShown { continuation.resume() }
        }
    }

    /// Authorizes the payment as the customer. A closed sheet does not allow that, but a test may, to see the library's
    /// reaction.
    public func authorize(_ payment: PKPayment) {
        lock.withLock {
            count += 1
            let number = count
            stood.append((shownTotal, (0..<changes).map { $0 + 1 }.filter { updateLog[$0] == nil }))
            guard let controller else { return }
            delegate?.paymentAuthorizationController(controller, didAuthorizePayment: payment) { result in
                self.complete(number, result)
            }
        }
    }

    /// Chooses an address as the customer. iOS reports it before the authorization.
    public func select(_ contact: PKContact) {
        change { delegate, controller, number in
            delegate.paymentAuthorizationController(controller, didSelectShippingContact: contact) {
                self.show(number, Update($0, $0.errors))
            }
        }
    }

    public func select(_ method: PKShippingMethod) {
        change { delegate, controller, number in
            delegate.paymentAuthorizationController(controller, didSelectShippingMethod: method) {
                self.show(number, Update($0))
            }
        }
    }

    public func enter(couponCode: String) {
        change { delegate, controller, number in
            delegate.paymentAuthorizationController(controller, didChangeCouponCode: couponCode) {
                self.show(number, Update($0, $0.errors))
            }
        }
    }

    public func select(_ method: PKPaymentMethod) {
        change { delegate, controller, number in
            delegate.paymentAuthorizationController(controller, didSelectPaymentMethod: method) {
                self.show(number, Update($0, $0.errors))
            }
        }
    }

    private func change(
        _ tell: (any PKPaymentAuthorizationControllerDelegate, PKPaymentAuthorizationController, Int) -> Void
    ) {
        let (number, controller, delegate) = lock.withLock {
            changes += 1
            return (changes, self.controller, self.delegate)
        }
        if let delegate, let controller { tell(delegate, controller, number) }
    }

    private func show(_ number: Int, _ update: Update) {
        lock.withLock {
            updateLog[number, default: []].append(update)
            shownTotal = update.total ?? shownTotal
        }
    }

    /// Closes the sheet as the customer, the sheet's time limit or iOS.
    public func close() {
        let (wasShown, controller, delegate) = lock.withLock {
            defer { isShown = false }
            return (isShown, self.controller, self.delegate)
        }
        guard wasShown, tellsOfDismissal, let controller else { return }
        delegate?.paymentAuthorizationControllerDidFinish(controller)
    }

    private func complete(_ number: Int, _ result: PKPaymentAuthorizationResult) {
        lock.withLock { log[number, default: []].append(Completion(status: result.status, errors: result.errors)) }
        if result.status == .success || (closesOnFailure && result.errors.isEmpty) { close() }
    }

    func setRequest(_ request: PKPaymentRequest) {
        lock.withLock {
            self.request = request
            shownTotal = request.paymentSummaryItems.last?.amount.decimalValue
        }
    }

    func present(_ controller: PKPaymentAuthorizationController) -> Bool {
        let waiting = lock.withLock {
            guard presents else { return [] as [CheckedContinuation<Void, Never>] }
            self.controller = controller
            delegate = controller.delegate
            isShown = true
            defer { self.waiting = [] }
            return self.waiting
        }
        for continuation in waiting { continuation.resume() }
        return presents
    }

    /// Closes the sheet. Returns whether the sheet reports that it is gone.
    func dismiss() -> Bool {
        lock.withLock { isShown = false }
        return tellsOfDismissal
    }
}
