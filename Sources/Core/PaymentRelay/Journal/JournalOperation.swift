/// Called after each read and each write of a journal, with its duration and, if it failed, its error. It must not
/// block.
public typealias JournalObserver = @Sendable (JournalOperation, Duration, JournalError?) -> Void

/// Reads and writes of a journal; the raw value is the operation's name in metrics.
public enum JournalOperation: String, Sendable, CaseIterable {
    case claim
    case keyUse = "idempotency_key"
    case commit
    case payment
    case payments
    case history
    case lease
    case release
    case openPayments = "open_payments"
    case openSummary = "open_summary"
    case paymentsHoldingCustomerData = "payments_holding_customer_data"
    case search
    case checkDurability = "check_durability"
    case purgeErased = "purge_erased"
    case leaseEvents = "lease_events"
    case acknowledgeEvent = "acknowledge_event"
    case postponeEvent = "postpone_event"
    case eventProgress = "event_progress"
    case recordQuery = "record_query"
    case queriesWithoutChange = "queries_without_change"
    case resendEvents = "resend_events"
    case paymentsWithEvents = "payments_with_events"
    case deadLetteredPayments = "dead_lettered_payments"
    case undeliveredPayments = "undelivered_payments"
    case recordCertificateUse = "record_certificate_use"
    case certificateUse = "certificate_use"
    case addHint = "add_hint"
    case leaseHints = "lease_hints"
    case endHint = "end_hint"
    case deleteRestedHints = "delete_rested_hints"
    case settlement
    case movements
    case changes
    case noteInstance = "note_instance"
    case archive
}
