public import Foundation

/// The payment sheet, its customer and iOS, as far as the client library meets them: a test drives it. It writes down what it
/// was told, and it calls the delegate from threads of its own, as PassKit may.
///
/// `@unchecked Sendable`: what changes is changed under the lock.
public final class SimulatedSheet: @unchecked Sendable {
    /// The sheet of the controllers that are made in this task.
    @TaskLocal public static var current: SimulatedSheet?

    /// What an authorization was completed with.
    public struct Completion: Sendable {
        public let status: PKPaymentAuthorizationStatus
        public let errors: [any Error]
    }

    /// What a change was completed with.
    public struct Update: Sendable {
        public let status: PKPaymentAuthorizationStatus
        /// Of the last item; nil without any.
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

    /// Recursive: an authorization and what the sheet shows at that moment are one step.
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
    ///   - presents: whether iOS can show it.
    ///   - tellsOfDismissal: whether its closing is ever told.
    ///   - closesOnFailure: whether a failure without errors closes it, as on some versions of iOS.
    public init(presents: Bool = true, tellsOfDismissal: Bool = true, closesOnFailure: Bool = false) {
        self.presents = presents
        self.tellsOfDismissal = tellsOfDismissal
        self.closesOnFailure = closesOnFailure
    }

    /// What each authorization was completed with, in order; more or less than one is a mistake of the library's.
    public var completions: [[Completion]] {
        lock.withLock { count == 0 ? [] : (1...count).map { log[$0] ?? [] } }
    }

    /// What each change was completed with, in order; more or less than one is a mistake of the library's.
    public var updates: [[Update]] {
        lock.withLock { changes == 0 ? [] : (1...changes).map { updateLog[$0] ?? [] } }
    }

    /// The total that the sheet showed at each authorization; nil where a change had no answer.
    public var authorizedTotals: [Decimal?] { standing.map { $0.unanswered.isEmpty ? $0.total : nil } }

    /// The total that stood on the sheet at each authorization, and the changes by their numbers, from 1, that had no answer yet.
    public var standing: [(total: Decimal?, unanswered: [Int])] { lock.withLock { stood } }

    public var isOpen: Bool { lock.withLock { isShown } }

    public var wasShown: Bool { lock.withLock { controller != nil } }

    /// Returns when the sheet is shown.
    public func shown() async {
        await withCheckedContinuation { continuation in
            let isShown = lock.withLock {
                if !self.isShown { waiting.append(continuation) }
                return self.isShown
            }
            if isShown { continuation.resume() }
        }
    }

    /// The customer authorizes. A sheet that is closed lets nobody do so; a test may, to see what the library makes of it.
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

    /// The customer chooses an address, as iOS tells it before the authorization.
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

    /// The customer, the sheet's time limit or iOS closes it.
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

    /// Whether it tells that it is gone.
    func dismiss() -> Bool {
        lock.withLock { isShown = false }
        return tellsOfDismissal
    }
}
