import PayrelayPrimitives

/// Captures, voids and refunds that were not requested here: in FORT's dashboard, for example.
///
/// The processor's totals count, and they come by CHECK_STATUS. A notification only leads to a query: it is not added
/// up, since a copy of it would be added up again.
extension PaymentStateMachine {
    /// Adopts the captures, voids and refunds that CHECK_STATUS shows; nil where it shows nothing new. Totals never go
    /// back.
    mutating func adopt(_ answer: ProcessorAnswer) -> Transition? {
        if answer.meaning == .voided, state == .authorized {
            return become(.voided, provenBy: answer, reason: "voided elsewhere")
        }
        guard state != .voided, [.captured, .refunded].contains(answer.meaning), let totals = answer.totals else {
            return nil
        }
        let forward = balance.forward(to: totals)
        guard forward != balance else { return nil }
        balance = forward
        return become(balance.state(of: amount), provenBy: answer, reason: "captured or refunded elsewhere")
    }

    /// The operation that a notification says was done elsewhere, and that may still be done; nil where it says no such
    /// thing.
    func investigate(_ notification: ProcessorNotification) -> (command: OperationCommand, amount: MinorUnits)? {
        guard case .operation(let command, _) = notification.subject, notification.answer.meaning == command.success,
            let left = try? permit(command, amount: nil)
        else { return nil }
        let notified = command == .voidAuthorization ? left : notification.amount ?? left
        // More than is left was counted already, by the totals of a query that came before the notification.
        return notified <= left ? (command, notified) : nil
    }
}
