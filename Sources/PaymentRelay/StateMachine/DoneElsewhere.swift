import PayrelayPrimitives

/// Captures, voids and refunds that were not requested here: in FORT's dashboard, for example.
///
/// The processor's totals count, and they come by CHECK_STATUS alone.
extension PaymentStateMachine {
    /// Adopts the captures, voids and refunds that CHECK_STATUS shows; nil where it shows nothing new. Totals never go
    /// back.
    mutating func adopt(_ answer: ProcessorAnswer) -> Transition? {
        if answer.meaning == .voided, state == .authorized {
            return become(.voided, provenBy: answer, reason: "voided elsewhere")
        }
        guard [.captured, .refunded].contains(answer.meaning), let totals = answer.totals else {
            return nil
        }
        let forward = balance.forward(to: totals)
        guard forward != balance else { return nil }
        balance = forward
        return become(balance.state(of: amount), provenBy: answer, reason: "captured or refunded elsewhere")
    }
}
