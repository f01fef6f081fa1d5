import FoundationEssentials

/// A second charge of an order. It is recorded beside the known charge, and its answer does not change the payment.
extension Payment {
    /// Whether the answer names another charge than the known one. If so, its totals are not this payment's totals.
    func isAboutAnotherCharge(_ answer: GatewayAnswer) -> Bool {
        guard let gatewayReference, let other = answer.reference else { return false }
        return other != gatewayReference
    }

    /// Returns a change that records a second charge; `nil` if nothing was charged a second time.
    func secondCharge(in answer: GatewayAnswer, on occasion: Occasion) -> Change? {
        guard let known = gatewayReference, let other = answer.reference, answer.isOfCharge else { return nil }
        return Change(
            before: self, after: written, kind: .contradiction(.secondCharge),
            reason: "the gateway has a second charge, \(other), beside \(known)", on: occasion, provenBy: answer)
    }
}
