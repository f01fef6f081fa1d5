import Foundation
public import PayrelayAPI
import PayrelayPrimitives

// Safe: everything that changes is read and changed only under the lock. `Mutex` requires iOS 18.
/// A relay in memory, for an app's tests and previews. It responds according to a script, charges each reference
/// once, and moves no money.
///
/// ```swift
/// let relay = FakeRelay([.answers(.declined), .losesAnswer(of: .captured), .answers(.captured, after: 3)])
/// let checkout = ApplePayCheckout(relay)
/// ```
///
/// Each new reference uses the next step of the script. If the script has ended, the payment succeeds
/// immediately. A reference that was already paid uses no step: like a real relay, the fake returns the outcome
/// of the earlier payment, or ``RelayError/referenceTaken(by:)``.
public final class FakeRelay: RelayPayments, @unchecked Sendable {
    /// The behavior for one payment.
    public struct Step: Sendable {
        fileprivate enum Answer: Sendable {
            case told, lost
            case refused(RelayError)
        }

        fileprivate let answer: Answer
        /// The outcome; `nil` for the success of the order's command.
        fileprivate let outcome: PaymentOutcome?
        /// The outcome for later requests; `nil` if it does not change.
        fileprivate var settled: PaymentOutcome?
        fileprivate let seconds: Double

        /// Makes the payment have this outcome.
        ///
        /// - Parameters:
        ///   - outcome: the outcome that `pay` returns.
        ///   - settled: the outcome that a later request returns, if the first is `.uncertain`. It is what the
        ///     relay has learned in the meantime.
        ///   - seconds: the time until the response. If it exceeds the time limit, the response is lost.
        public static func answers(
            _ outcome: PaymentOutcome, then settled: PaymentOutcome? = nil, after seconds: Double = 0
        ) -> Step {
            Step(answer: .told, outcome: outcome, settled: settled, seconds: seconds)
        }

        /// Makes the payment have this outcome, but loses the response: `pay` throws ``RelayError/noAnswer``, and
        /// a look-up returns the outcome.
        ///
        /// - Parameters:
        ///   - outcome: the outcome that a later request returns.
        ///   - seconds: the time until `pay` throws.
        public static func losesAnswer(of outcome: PaymentOutcome, after seconds: Double = 0) -> Step {
            Step(answer: .lost, outcome: outcome, settled: nil, seconds: seconds)
        }

        /// Makes `pay` throw this error, without a payment.
        ///
        /// - Parameters:
        ///   - error: the error.
        ///   - seconds: the time until it is thrown.
        public static func refuses(_ error: RelayError, after seconds: Double = 0) -> Step {
            Step(answer: .refused(error), outcome: nil, settled: nil, seconds: seconds)
        }

        fileprivate static let succeeds = Step(answer: .told, outcome: nil, settled: nil, seconds: 0)
    }

    private struct Made {
        let order: Order
        let body: [UInt8]
        var outcome: PaymentOutcome
        let settled: PaymentOutcome?
    }

    /// The clock that measures the time until responses.
    public let clock: any RelayClock
    // Safe: everything that changes is read and changed only under this lock. `Mutex` requires iOS 18.
    private let lock = NSLock()
    private var script: ArraySlice<Step>
    private var made: [String: Made] = [:]
    private var charged: [Order] = []

    /// - Parameters:
    ///   - script: one step for each new reference.
    ///   - clock: measures the time until responses.
    public init(_ script: [Step] = [], clock: any RelayClock = SystemClock()) {
        self.script = script[...]
        self.clock = clock
    }

    /// The orders for which money was authorized or captured, in the order in which they were paid. Open payments
    /// are not included.
    public var chargedOrders: [Order] { lock.withLock { charged } }

    /// Pays as the script says.
    public func pay(
        _ order: Order, with token: AppleToken, within limit: TimeLimit
    ) async throws(RelayError) -> PaymentResult {
        let body = order.body(with: token)
        let (step, earlier) = lock.withLock { () -> (Step, Made?) in
            if let earlier = made[order.merchantReference] { return (.succeeds, settle(earlier)) }
            let step = script.popFirst() ?? .succeeds
            if case .refused = step.answer { return (step, nil) }
            let outcome = step.outcome ?? (order.command == .authorization ? .authorized : .captured)
            let payment = Made(order: order, body: body, outcome: outcome, settled: step.settled)
            made[order.merchantReference] = payment
            charge(payment)
            return (step, nil)
        }
        if let earlier { return try Self.replay(earlier, to: order, body) }
        try await wait(min(step.seconds, limit.seconds))
        switch step.answer {
        case .refused(let error): throw error
        case .lost: throw .noAnswer
        case .told:
            guard step.seconds <= limit.seconds else { throw .noAnswer }
            let outcome = lock.withLock { made[order.merchantReference]?.outcome } ?? .uncertain
            return try Self.result(order, outcome)
        }
    }

    /// Returns the outcome of a payment.
    public func outcome(
        of merchantReference: String, within limit: TimeLimit
    ) async throws(RelayError) -> PaymentResult {
        guard let payment = lock.withLock({ made[merchantReference].map { settle($0) } }) else { throw .noSuchPayment }
        return try Self.result(payment.order, payment.outcome)
    }

    /// Returns the payment with the outcome that the relay has learned since the first response. Must be called
    /// under the lock.
    private func settle(_ payment: Made) -> Made {
        guard let settled = payment.settled, settled != payment.outcome else { return payment }
        var payment = payment
        payment.outcome = settled
        made[payment.order.merchantReference] = payment
        charge(payment)
        return payment
    }

    private func charge(_ payment: Made) {
        if payment.outcome.isSuccess { charged.append(payment.order) }
    }

    /// Returns the earlier payment with the same reference, if it matches this order.
    private static func replay(_ earlier: Made, to order: Order, _ body: [UInt8]) throws(RelayError) -> PaymentResult {
        let result = try result(earlier.order, earlier.outcome)
        let isSame = earlier.body == body
        guard let receipt = result.receipt,
            isSame
                || AskedOrder(merchantReference: order.merchantReference, order: order).isMeant(by: receipt)
                    && (result.isSuccess || result.isOpen)
        else { throw .referenceTaken(by: result.receipt) }
        return result
    }

    private static func result(_ order: Order, _ outcome: PaymentOutcome) throws(RelayError) -> PaymentResult {
        let document: JSON = [
            PaymentField.merchantReference: .string(order.merchantReference),
            PaymentField.command: .string(order.command.rawValue), PaymentField.outcome: .string(outcome.rawValue),
            PaymentField.amount: JSON(order.amount), PaymentField.currency: .string(order.currency.code),
        ]
        guard let payment = try? PaymentDocument(parsing: document.encoded()) else {
            throw .invalidConfiguration("the order has no amount")
        }
        return PaymentResult(payment)
    }

    private func wait(_ seconds: Double) async throws(RelayError) {
        guard seconds > 0 else { return }
        do { try await clock.sleep(seconds: seconds) } catch { throw .cancelled(mayHaveBeenSent: true) }
    }
}
