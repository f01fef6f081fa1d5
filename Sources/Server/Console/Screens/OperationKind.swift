import PaymentRelay
import PayrelayPrimitives

/// A capture, void or refund, with the console's words for it.
struct OperationKind: Sendable {
    let command: OperationCommand
    /// The name of the operation's page, which is also the verb in its sentences.
    let path: String
    let pastTense: String

    /// Whether an amount is entered. False for a void, which releases the whole authorized amount.
    var takesAmount: Bool { command != .voidAuthorization }

    static let all = [
        OperationKind(command: .capture, path: "capture", pastTense: "captured"),
        OperationKind(command: .voidAuthorization, path: "void", pastTense: "voided"),
        OperationKind(command: .refund, path: "refund", pastTense: "refunded"),
    ]

    /// Returns the maximum amount; `nil` if the operation is not possible.
    func left(on payment: Payment, relay: PaymentRelay) -> MinorUnits? {
        try? relay.permits(command, on: payment)
    }

    /// Returns why the operation is not possible, without a full stop; `nil` if it is possible.
    func obstacle(on payment: Payment, relay: PaymentRelay) -> String? {
        do throws(OperationRefusal) {
            _ = try relay.permits(command, on: payment)
            return nil
        } catch {
            switch error {
            case .inFlight: return "the outcome of the payment, or of an operation on it, is not known yet"
            case .notAllowed(let reason): return reason
            default: return "it is not possible"
            }
        }
    }

    func equalSentence(_ equal: PaymentOperation, of payment: Payment) -> String {
        "\(Money.text(equal.amount, payment.currency)) of this payment were \(pastTense) already, at \(equal.begunAt.utcText)."
    }

    /// Returns a description of the operation's effect, for confirmation.
    ///
    /// - Parameter left: the maximum amount.
    func sentence(_ amount: MinorUnits, left: MinorUnits, of payment: Payment) -> String {
        let money = Money.text(amount, payment.currency)
        let rest = left.subtracting(amount).map { Money.text($0, payment.currency) } ?? ""
        switch command {
        case .capture:
            return
                "Captures \(money) of what \(payment.merchantReference) holds: the customer pays it. After that, \(rest) is left to capture."
        case .voidAuthorization:
            return
                "Releases the \(money) that \(payment.merchantReference) holds on the customer's card. Nothing can be captured afterwards."
        case .refund:
            return
                "Refunds \(money) of \(payment.merchantReference) to the customer's card. After that, \(rest) is left to refund. A refund cannot be undone."
        }
    }
}
