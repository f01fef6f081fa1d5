import FoundationEssentials

extension PaymentRelay {
    /// How many references of a gateway may have a hint at a time, so that a flood of hints does not grow the
    /// journal.
    static let hintLimit = 10_000

    /// Whether a hint says only what is known, so that no query is needed.
    public func knows(_ hint: GatewayHint) async throws(JournalError) -> Bool {
        guard let payment = try await journal.payment(hint.merchantReference) else { return false }
        return payment.knows(hint, account: gateways.account(of: payment))
    }

    /// R11: records a hint, so that the gateway is soon queried about the payment, once for many hints. The hint
    /// itself changes nothing.
    ///
    /// A hint for an account that is not configured is dropped, because no gateway could be queried.
    ///
    /// - Parameter kind: the kind of the gateway's address at which the hint arrived.
    /// - Returns: `false` if nothing was recorded, and the notification is to be sent again. Either too many
    ///   references of the gateway have hints or are in cooldown, or the hints about this reference name too many
    ///   charges.
    public func record(_ hint: GatewayHint, kind: FeedbackKind) async throws(JournalError) -> Bool {
        guard let gateway = gateways.gateway(ofAccount: hint.account) else { return true }
        let charge = hint.gatewayReference.flatMap { gateway.canQuery(charge: $0) ? $0 : nil }
        return try await journal.add(
            hint, of: gateway.name, charge: charge, kind: kind, at: now(), limit: Self.hintLimit)
    }
}
