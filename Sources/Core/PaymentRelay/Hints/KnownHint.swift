/// Whether a hint says what is known already. Anything else makes the relay ask the gateway.
extension Payment {
    /// - Parameter account: of the payment.
    func knows(_ hint: GatewayHint, account: String?) -> Bool {
        // Of an operation nothing tells whether the hint is about one that is known or about another one of the same amount.
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
