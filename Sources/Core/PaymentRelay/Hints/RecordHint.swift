import FoundationEssentials

extension PaymentRelay {
    /// How many references of a gateway may have a hint at a time, so that a flood of them does not grow the journal.
    static let hintLimit = 10_000

    /// Whether a hint says nothing but what is known: then it needs no question.
    public func knows(_ hint: GatewayHint) async throws(JournalError) -> Bool {
        guard let payment = try await journal.payment(hint.merchantReference) else { return false }
        return payment.knows(hint, account: gateways.account(of: payment))
    }

    /// R11: records a hint, so that the gateway is asked about its payment, soon and once for many hints. The hint itself changes nothing.
    ///
    /// A hint of an account that is not configured is dropped: no gateway could be asked.
    ///
    /// - Parameter kind: by which of the gateway's addresses it came.
    /// - Returns: false if too many of the gateway's references wait or rest, or if hints about this reference name too many charges;
    ///   then nothing was recorded, and the notification is to be sent again.
    public func record(_ hint: GatewayHint, kind: FeedbackKind) async throws(JournalError) -> Bool {
        guard let gateway = gateways.gateway(ofAccount: hint.account) else { return true }
        let charge = hint.gatewayReference.flatMap { gateway.canQuery(charge: $0) ? $0 : nil }
        return try await journal.add(
            hint, of: gateway.name, charge: charge, kind: kind, at: now(), limit: Self.hintLimit)
    }
}
