import PayrelayPrimitives
import FoundationEssentials

/// A payment that the merchant made with the processor itself, by FORT's mobile SDK for example, becomes known here by
/// the processor's notification of its charge.
extension PaymentChange {
    /// From nothing but a reference to what the notification proves.
    ///
    /// - Returns: nil where the notification is not about a charge, settles nothing, or does not say for how much: then
    ///   nothing could be done with the payment.
    init?(toPaymentMadeElsewhere notification: ProcessorNotification, at moment: Date) {
        guard case .charge(let command) = notification.subject, let amount = notification.amount, amount > .zero,
            let currency = notification.currency, Self.isReference(notification.merchantReference)
        else { return nil }
        let unknown = Payment(
            merchantReference: notification.merchantReference, command: command, amount: amount, currency: currency,
            fingerprint: nil, appleTransactionIdentifier: nil, claimedAt: moment, account: notification.account,
            state: .uncertain)
        guard notification.answer.implausibility(for: unknown) == nil else { return nil }
        var machine = PaymentStateMachine(
            state: .uncertain, amount: amount, notFoundAfter: .zero, operationNotFoundAfter: .zero)
        let reason = "made with the processor, not through this service"
        guard let settled = machine.settle(by: notification.answer, reason: reason) else { return nil }
        self.init(of: unknown, by: settled, of: machine, at: moment)
    }

    /// FORT's own limit, 40 characters of ASCII: a notification must not grow the journal beyond that.
    private static func isReference(_ text: String) -> Bool {
        (1...40).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}
