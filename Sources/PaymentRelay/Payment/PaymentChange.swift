import FoundationEssentials
import PayrelayPrimitives

/// A payment before and after something happened to it, ready to be written.
struct PaymentChange: Sendable {
    let from: Payment
    let to: Payment
    /// For the history.
    let reason: String?
    let at: Date
    /// The verified answer that proves it; nil where nothing does.
    let proof: ProcessorAnswer?

    init(from: Payment, to: Payment, reason: String?, at: Date, provenBy proof: ProcessorAnswer? = nil) {
        self.from = from
        self.to = to
        self.reason = reason
        self.at = at
        self.proof = proof
    }

    /// What the machine has decided.
    ///
    /// - Parameter machine: after the input that led to the transition.
    init(
        of payment: Payment, by transition: PaymentStateMachine.Transition, of machine: PaymentStateMachine,
        at moment: Date
    ) {
        var changed = payment
        changed.state = machine.state
        changed.balance = machine.balance
        changed.version += 1
        // The answer holds customer data once more, in a receipt and in an event.
        changed.holdsCustomerData = true
        switch transition {
        case .charge(let answer, let why):
            // What is learnt of a payment with money leaves the answer to its charge as it was given.
            if !payment.state.hasMoney {
                changed.receipt = Receipt(of: payment, state: machine.state, answer: answer, reason: why).encoded()
                changed.adopt(answer)
            }
            self.init(from: payment, to: changed, reason: why, at: moment, provenBy: answer)
        case .secondCharge(let answer, let why):
            self.init(from: payment, to: changed, reason: why, at: moment, provenBy: answer)
        case .operationNotSent(let operation, let why):
            changed.operations.removeLast()
            changed.holdsCustomerData = payment.holdsCustomerData
            self.init(
                from: payment, to: changed,
                reason: "\(operation.command.rawValue) of \(operation.amount)\(Self.notSent), \(why)",
                at: moment)
        case .operation(var operation, let answer, let why):
            operation.changedAt = moment
            operation.receipt = Receipt(of: operation, on: changed, answer: answer, reason: why).encoded()
            changed.operations = changed.operations.dropLast() + [operation]
            let what = "\(operation.command.rawValue) of \(operation.amount): \(operation.state.rawValue)"
            self.init(
                from: payment, to: changed, reason: why.map { "\(what), \($0)" } ?? what, at: moment, provenBy: answer)
        }
    }

    /// The history's entry of the change.
    ///
    /// - Parameters:
    ///   - origin: what it is added for.
    ///   - withEvent: whether the merchant's backend is to be notified of it.
    func entry(from origin: Origin, withEvent: Bool) -> HistoryEntry {
        HistoryEntry(
            at: at, state: to.state, balance: to.balance, source: origin.source, reason: reason,
            requestIdentifier: origin.request,
            event: withEvent ? event : nil)
    }
}

/// What the processor's answer says against what was known, and clients were told: an operator is alerted.
public enum Contradiction: String, Sendable, CaseIterable {
    /// The payment was told as not sent, declined, voided or not processed, and its money was taken.
    case chargedAfterAll = "charged_after_all"
    /// The processor has another charge under the payment's reference.
    case secondCharge = "second_charge"
    /// The processor has a charge under the payment's reference in another account of the merchant.
    case chargeInOtherAccount = "charge_in_other_account"
}

/// The words of an operation's entries, after its command and amount.
extension PaymentChange {
    static let begun = " begun"
    private static let notSent = ": not_sent"

    /// Whether it is the reason of an operation that was not sent.
    static func isUnsent(_ reason: String?) -> Bool {
        guard let (what, rest) = reason?.cut(at: ":"), let rest else { return false }
        return rest.begins(with: " not_sent,")
            && OperationCommand.allCases.contains { what.begins(with: "\($0.rawValue) of ") }
    }
}

extension PaymentChange {
    var contradiction: Contradiction? {
        if isSecondCharge { return .secondCharge }
        return from.state != to.state && !from.state.isOpen && !from.state.hasMoney && to.state.hasMoney
            ? .chargedAfterAll : nil
    }

    /// Whether it adds an answer to the history that changes nothing.
    var isSecondCharge: Bool {
        proof != nil && from.state == to.state && from.balance == to.balance && from.operations == to.operations
    }
}

extension Payment {
    /// Takes over what lists and search have of the answer to its charge; what an earlier answer said of it is no longer said.
    mutating func adopt(_ answer: ProcessorAnswer?) {
        processorReference = answer?.reference
        summary = answer?.summaryTexts ?? JSONObject()
        cardLastFour = answer?.cardLastFour
        // The order's own is known from the claim on.
        if isMadeElsewhere, let email = answer?.response["customer_email"]?.stringValue, !email.isEmpty {
            emailDigest = EmailDigest(of: email)
        }
    }

    /// With an operation begun on it, not yet written.
    func beginning(_ operation: PaymentOperation, leasedUntil expiry: Date) -> Payment {
        var payment = self
        payment.operations.append(operation)
        payment.lease = Lease(number: lease.number + 1, expiresAt: expiry)
        payment.version += 1
        return payment
    }
}

extension ProcessorAnswer {
    /// The summary's texts: what lists show.
    fileprivate var summaryTexts: JSONObject {
        JSONObject(summary.members.filter { $0.value.stringValue != nil }.map { ($0.name, $0.value) })
    }

    /// Nil where the card's number is not told, or ends in anything but digits.
    fileprivate var cardLastFour: String? {
        guard let end = summary["card_number"]?.stringValue?.utf8.suffix(4), end.count == 4,
            end.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return String(decoding: end, as: UTF8.self)
    }
}
