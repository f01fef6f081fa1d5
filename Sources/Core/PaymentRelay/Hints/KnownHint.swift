/// The rule that decides whether a hint says only what is known. Any other hint makes the relay query the gateway.
extension Payment {
    /// Whether a hint says only what is known about the payment.
    ///
    /// - Parameter account: the payment's account.
    func knows(_ hint: GatewayHint, account: String?) -> Bool {
        // A hint about an operation is never known: it may be about a known operation, or about another one of the
        // same amount.
        guard case .charge(command) = hint.subject, hint.account == account, hint.amount ?? amount == amount,
            hint.currency ?? currency == currency
        else { return false }
        let isSaid =
            switch (hint.statement, state) {
            case (.authorized, _): state.hasMoney && command == .authorization
            case (.captured, .captured), (.captured, .partiallyRefunded), (.captured, .refunded): command == .purchase
            case (.declined, .declined): true
            default: false
            }
        return isSaid && (hint.gatewayReference == nil || hint.gatewayReference == gatewayReference)
    }
}
