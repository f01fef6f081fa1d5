/// A permission of a client. The raw value is its name in API keys and JWTs (RFC 6749, 3.3).
public enum Scope: String, CaseIterable, Sendable {
    case paymentsCreate = "payments:create"
    case paymentsRead = "payments:read"
    /// Capture, void, refund, and reconciliation on demand.
    case paymentsManage = "payments:manage"
    /// Extends the two before to payments that no client of this service created: the gateway's own SDK did, or the merchant
    /// at the gateway itself. Permits nothing by itself.
    case paymentsMadeElsewhere = "payments:made-elsewhere"
    /// Charges, refunds and voids of every client's payments.
    case settlementRead = "settlement:read"
    /// Charges of a stored card, without the customer. No order token has it.
    case recurringPaymentsCreate = "recurring-payments:create"
    case tokensVerify = "tokens:verify"
    case sdkTokensCreate = "sdk-tokens:create"
    case sessionsCreate = "sessions:create"
}
