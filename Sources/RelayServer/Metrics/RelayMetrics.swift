import PaymentRelay

/// Everything that is counted. One property is one metric; docs/metrics.md says what each is for.
struct RelayMetrics: Sendable {
    let requests = HistogramFamily(
        "http_server_request_duration_seconds", "Requests to the public listener, until their answers were ready.",
        of: RequestLabels.self)
    let payments = CounterFamily(
        "payrelay_payments_total", "Requests to pay that were read, by what came of them.", of: OutcomeLabels.self)
    let steps = HistogramFamily(
        "payrelay_payment_step_duration_seconds", "The steps of payments.", of: StepLabels.self,
        bounds: MetricBounds.ofSteps)
    let refusals = CounterFamily(
        "payrelay_token_refusals_total", "Tokens of payments that were refused, by the first check that did.",
        of: CheckLabels.self)
    let operations = CounterFamily(
        "payrelay_operations_total", "Requests to capture, void or refund that were read, by what came of them.",
        of: OperationLabels.self)
    let exchanges = HistogramFamily(
        "payrelay_fort_exchange_duration_seconds", "Exchanges with FORT, from the request to the verified answer.",
        of: ExchangeLabels.self, bounds: MetricBounds.ofFort)
    let answers = CounterFamily(
        "payrelay_fort_answers_total", "Verified answers of FORT, by the class of their code.", of: AnswerLabels.self)
    let limitViolations = CounterFamily(
        "payrelay_fort_token_limit_violations_total",
        "Parts of Apple's tokens that were sent to FORT beyond its documented limits.", of: FieldLabels.self)
    let reconciliations = CounterFamily(
        "payrelay_reconciliations_total", "Open payments that the reconciler asked FORT about.", of: ResultLabels.self,
        known: Reconciliation.allCases.map { ResultLabels(result: $0.rawValue) })
    let journal = HistogramFamily(
        "payrelay_journal_duration_seconds", "Reads and writes of the journal, those that failed included.",
        of: JournalOperationLabels.self, bounds: MetricBounds.ofSteps)
    let journalErrors = CounterFamily(
        "payrelay_journal_errors_total", "Reads and writes of the journal that failed.",
        of: JournalOperationLabels.self,
        known: JournalOperation.allCases.map { JournalOperationLabels(operation: $0) })

    let unreadableRecords = CounterFamily(
        "payrelay_journal_unreadable_records_total",
        "Records that were met and set aside, because no version of payrelay wrote them.", of: NoLabels.self,
        known: [NoLabels()])
    let implausible = CounterFamily(
        "payrelay_implausible_messages_total",
        "Verified messages of FORT that could not be true of their payment and were ignored.",
        of: ImplausibilityLabels.self,
        known: Implausibility.Kind.allCases.map { ImplausibilityLabels(kind: $0) })
    let shed = CounterFamily(
        "payrelay_http_shed_total",
        "What was closed or refused to make room for others, of the address that had the most of it.",
        of: KindLabels.self, known: [.connection, .stream, .body].map { KindLabels($0) })

    /// In the order they are told.
    var families: [any MetricFamily] {
        [
            requests, payments, steps, refusals, operations, exchanges, answers, limitViolations, reconciliations,
            journal,
            journalErrors, unreadableRecords, implausible, shed,
        ]
    }
}
