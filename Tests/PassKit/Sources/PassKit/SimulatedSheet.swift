import Foundation

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

    private let lock = NSLock()
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
        let (number, controller, delegate) = lock.withLock {
            count += 1
            return (count, self.controller, self.delegate)
        }
        guard let controller else { return }
        delegate?.paymentAuthorizationController(controller, didAuthorizePayment: payment) { result in
            self.complete(number, result)
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
        lock.withLock { self.request = request }
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
