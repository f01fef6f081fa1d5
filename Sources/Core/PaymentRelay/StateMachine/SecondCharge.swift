import FoundationEssentials

/// A second charge of an order, beside the one that is known: it is recorded, and what it says is not said of the payment.
extension Payment {
    /// Whether it names another charge than the known one. Its totals are then not the payment's.
    func isAboutAnotherCharge(_ answer: GatewayAnswer) -> Bool {
        guard let gatewayReference, let other = answer.reference else { return false }
        return other != gatewayReference
    }

    /// Nil where nothing was charged a second time.
    func secondCharge(in answer: GatewayAnswer, on occasion: Occasion) -> Change? {
        guard let known = gatewayReference, let other = answer.reference, answer.isOfCharge else { return nil }
        return Change(
            before: self, after: written, kind: .contradiction(.secondCharge),
            reason: "the gateway has a second charge, \(other), beside \(known)", on: occasion, provenBy: answer)
    }
}
