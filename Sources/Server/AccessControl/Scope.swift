/// A permission of a client. The raw value is its name in API keys and JWTs (RFC 6749, 3.3).
public enum Scope: String, CaseIterable, Sendable {
    case paymentsCreate = "payments:create"
    case paymentsRead = "payments:read"
    /// Captures, voids, refunds, and status queries on demand.
    case paymentsManage = "payments:manage"
    /// Extends `payments:read` and `payments:manage` to external payments, which no client of this service
    /// created: the gateway's own SDK did, or the merchant did at the gateway. Permits nothing by itself.
    case paymentsMadeElsewhere = "payments:made-elsewhere"
    /// Amounts charged, refunded and voided, for the payments of every client.
    case settlementRead = "settlement:read"
    /// Charges of a stored card, without the customer. An order token never has this scope.
    case recurringPaymentsCreate = "recurring-payments:create"
    case tokensVerify = "tokens:verify"
    case sdkTokensCreate = "sdk-tokens:create"
    case sessionsCreate = "sessions:create"
}
