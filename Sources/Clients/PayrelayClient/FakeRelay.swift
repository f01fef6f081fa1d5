import Foundation
public import PayrelayAPI
import PayrelayPrimitives

// Safe: what changes is read and changed under the lock alone. `Mutex` needs iOS 18.
/// A relay in memory, for an app's tests and previews: it answers by a script, charges each reference once, and moves no money.
///
/// ```swift
/// let relay = FakeRelay([.answers(.declined), .losesAnswer(of: .captured), .answers(.captured, after: 3)])
/// let checkout = ApplePayCheckout(relay)
/// ```
///
/// Each new reference takes the next step of the script, and a payment without one succeeds at once. A reference that was paid before
/// takes none: as a relay does, it answers what came of that payment, or ``RelayError/referenceTaken(by:)``.
public final class FakeRelay: RelayPayments, @unchecked Sendable {
    /// What becomes of one payment.
    public struct Step: Sendable {
        fileprivate enum Answer: Sendable {
            case told, lost
            case refused(RelayError)
        }

        fileprivate let answer: Answer
        /// Nil for the success of the order's command.
        fileprivate let outcome: PaymentOutcome?
        /// Of later requests; nil for the same.
        fileprivate var settled: PaymentOutcome?
        fileprivate let seconds: Double

        /// The payment has this outcome.
        ///
        /// - Parameters:
        ///   - outcome: what paying returns.
        ///   - settled: what a later request is told, where the outcome is `.uncertain`: what the relay learnt meanwhile.
        ///   - seconds: until the answer. After the time limit the answer is lost.
        public static func answers(
            _ outcome: PaymentOutcome, then settled: PaymentOutcome? = nil, after seconds: Double = 0
        ) -> Step {
            Step(answer: .told, outcome: outcome, settled: settled, seconds: seconds)
        }

        /// The payment has this outcome, and the network loses the answer: paying throws ``RelayError/noAnswer``, and a look-up tells.
        ///
        /// - Parameters:
        ///   - outcome: what a later request is told.
        ///   - seconds: until the time limit is over.
        public static func losesAnswer(of outcome: PaymentOutcome, after seconds: Double = 0) -> Step {
            Step(answer: .lost, outcome: outcome, settled: nil, seconds: seconds)
        }

        /// Paying throws this, and no payment is made.
        ///
        /// - Parameters:
        ///   - error: what is thrown.
        ///   - seconds: until then.
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

    /// Lets the time of answers pass.
    public let clock: any RelayClock
    // Everything that changes is read and changed under it alone: so the class is safe to send. `Mutex` needs iOS 18.
    private let lock = NSLock()
    private var script: ArraySlice<Step>
    private var made: [String: Made] = [:]
    private var charged: [Order] = []

    /// - Parameters:
    ///   - script: a step for each reference that is new.
    ///   - clock: waits before answers.
    public init(_ script: [Step] = [], clock: any RelayClock = SystemClock()) {
        self.script = script[...]
        self.clock = clock
    }

    /// The orders for which money is held or taken, in the order in which they were paid. An open payment is not among them.
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

    /// Tells what became of a payment.
    public func outcome(
        of merchantReference: String, within limit: TimeLimit
    ) async throws(RelayError) -> PaymentResult {
        guard let payment = lock.withLock({ made[merchantReference].map { settle($0) } }) else { throw .noSuchPayment }
        return try Self.result(payment.order, payment.outcome)
    }

    /// Under the lock: what the relay has learnt since the first answer.
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

    /// Another request under a reference is told of the payment that was made, where it is this order's.
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
