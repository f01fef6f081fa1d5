import ApplePayToken
public import HTTPListener
public import Observability
public import PaymentRelay

/// The relay's metrics. Each property is one metric; docs/metrics.md describes them.
public struct RelayMetrics: Sendable {
    public let registry: MetricsRegistry
    let requests: HistogramFamily<RequestLabels>
    let payments: CounterFamily<TextLabel<OutcomeLabel>>
    let steps: HistogramFamily<StepTimes.Step>
    let refusals: CounterFamily<TextLabel<CheckLabel>>
    let operations: CounterFamily<OperationLabels>
    let reconciliations: CounterFamily<Reconciliation>
    let journal: HistogramFamily<JournalOperation>
    let journalErrors: CounterFamily<JournalOperation>
    let unreadableRecords: CounterFamily<NoLabels>
    let implausible: CounterFamily<Implausibility.Kind>
    let contradictions: CounterFamily<Contradiction>
    let investigations: CounterFamily<Investigation>
    let shed: CounterFamily<ListenerCapacity.Shed>
    let unknownCertificates: CounterFamily<PaymentToken.Version>

    static let requestsName = "http_server_request_duration_seconds"
    static let paymentsName = "payrelay_payments_total"

    public init(in registry: MetricsRegistry = MetricsRegistry()) {
        self.registry = registry
        requests = HistogramFamily(
            Self.requestsName, "Requests to the public listener, until their answers were ready.",
            of: RequestLabels.self, bounds: MetricBounds.ofExchanges, in: registry)
        payments = CounterFamily(
            Self.paymentsName, "Requests to pay that were read, by outcome.",
            of: TextLabel<OutcomeLabel>.self,
            in: registry)
        steps = HistogramFamily(
            "payrelay_payment_step_duration_seconds", "The steps of payments.", of: StepTimes.Step.self,
            bounds: MetricBounds.ofSteps, in: registry)
        refusals = CounterFamily(
            "payrelay_token_refusals_total", "Tokens of payments that were refused, by the first check that did.",
            of: TextLabel<CheckLabel>.self, in: registry)
        operations = CounterFamily(
            "payrelay_operations_total", "Requests to capture, void or refund that were read, by outcome.",
            of: OperationLabels.self, in: registry)
        reconciliations = CounterFamily(
            "payrelay_reconciliations_total", "Open payments about which the reconciler queried a gateway.",
            of: Reconciliation.self, known: Reconciliation.allCases, in: registry)
        journal = HistogramFamily(
            "payrelay_journal_duration_seconds", "Reads and writes of the journal, those that failed included.",
            of: JournalOperation.self, bounds: MetricBounds.ofSteps, in: registry)
        journalErrors = CounterFamily(
            "payrelay_journal_errors_total", "Reads and writes of the journal that failed.",
            of: JournalOperation.self,
            known: JournalOperation.allCases, in: registry)
        unreadableRecords = CounterFamily(
            "payrelay_journal_unreadable_records_total",
            "Records that were met and set aside, because no version of payrelay wrote them.", of: NoLabels.self,
            known: [NoLabels()], in: registry)
        implausible = CounterFamily(
            "payrelay_implausible_messages_total",
            "Verified gateway answers that could not be true of their payment and were ignored.",
            of: Implausibility.Kind.self,
            known: Implausibility.Kind.allCases, in: registry)
        contradictions = CounterFamily(
            "payrelay_contradictions_total",
            "Verified gateway answers that contradict what clients were told, or show a second charge.",
            of: Contradiction.self, known: Contradiction.allCases,
            in: registry)
        investigations = CounterFamily(
            "payrelay_hints_investigated_total", "Gateway hints that were investigated, by the result.",
            of: Investigation.self, known: Investigation.allCases, in: registry)
        shed = CounterFamily(
            "payrelay_http_shed_total",
            "Connections and requests that were closed or refused to free resources for others, at the address that used the most.",
            of: ListenerCapacity.Shed.self, known: ListenerCapacity.Shed.allCases, in: registry)
        unknownCertificates = CounterFamily(
            "payrelay_tokens_for_unknown_certificates_total",
            "Tokens of payments that were encrypted for none of the configured payment processing certificates.",
            of: PaymentToken.Version.self,
            known: PaymentToken.Version.allCases, in: registry)
    }

    /// Counts a connection that was closed to make room for others.
    public func observe(_ shed: ListenerCapacity.Shed) {
        self.shed.count(shed)
    }

    /// Counts an unreadable journal record that was set aside.
    public func observeUnreadableRecord() {
        unreadableRecords.count(NoLabels())
    }

    /// Records the duration of an operation of the journal.
    ///
    /// - Parameter duration: the duration of a read or a write of the journal, including a failed one.
    public func observe(_ operation: JournalOperation, _ duration: Duration, failed: Bool) {
        journal.record(duration, operation)
        if failed { journalErrors.count(operation) }
    }

    public func observe(_ event: RelayEvent) {
        switch event {
        case .took(let times):
            for (step, duration) in times.taken { steps.record(duration, step) }
        case .paid(let result):
            payments.count(TextLabel(result.outcome))
            if case .failure(.tokenRefused(let verification)) = result, let check = verification.firstFailure {
                refusals.count(TextLabel(check.name.rawValue))
            }
        case .performed(let command, let result):
            operations.count(OperationLabels(command: command, outcome: result.outcome))
        case .implausible(let kind): implausible.count(kind)
        case .contradicted(let kind): contradictions.count(kind)
        case .investigated(let investigation): investigations.count(investigation)
        case .unknownCertificate(let version): unknownCertificates.count(version)
        case .reconciled(let reconciliation): reconciliations.count(reconciliation)
        }
    }
}

extension Result<PaymentReply, PaymentRefusal> {
    fileprivate var outcome: String {
        switch self {
        case .success(let result): result.isReplay ? "replayed" : result.payment.state.rawValue
        case .failure(.tokenRefused): "token_refused"
        case .failure(.inFlight): "in_flight"
        case .failure(.referenceTaken): "reference_taken"
        case .failure(.recordUnreadable): "record_unreadable"
        case .failure(.tokenTaken): "token_used"
        case .failure(.idempotencyKeyTaken): "idempotency_key_taken"
        case .failure(.notSent): "not_sent"
        case .failure(.accountUnverified): "account_unverified"
        case .failure(.journalUnavailable): "journal_unavailable"
        }
    }
}

extension Result<OperationResult, OperationRefusal> {
    fileprivate var outcome: String {
        switch self {
        case .success(let result): result.isReplay ? "replayed" : result.operation.state.rawValue
        case .failure(.noSuchPayment): "no_such_payment"
        case .failure(.recordUnreadable): "record_unreadable"
        case .failure(.notAllowed), .failure(.notPermitted), .failure(.changedSince): "not_allowed"
        case .failure(.otherCurrency), .failure(.invalid): "invalid_fields"
        case .failure(.inFlight): "in_flight"
        case .failure(.idempotencyKeyTaken): "operation_taken"
        case .failure(.notSent): "not_sent"
        case .failure(.accountUnverified): "account_unverified"
        case .failure(.journalUnavailable): "journal_unavailable"
        }
    }
}
