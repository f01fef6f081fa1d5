/// What is done with the journal, one for each of the protocol's methods.
enum JournalOperation: String, Sendable, CaseIterable {
    case claim
    case record
    case redactEvent = "redact_event"
    case transition
    case compareAndSet = "compare_and_set"
    case payment
    case history
    case lease
    case release
    case openPayments = "open_payments"
    case openSummary = "open_summary"
    case paymentsHoldingCustomerData = "payments_holding_customer_data"
    case checkDurability = "check_durability"
    case leaseEvents = "lease_events"
    case acknowledgeEvent = "acknowledge_event"
    case postponeEvent = "postpone_event"
    case resendEvents = "resend_events"
    case resendDeadLetteredEvents = "resend_dead_lettered_events"
    case paymentsWithEvents = "payments_with_events"
    case eventSummary = "event_summary"
}
