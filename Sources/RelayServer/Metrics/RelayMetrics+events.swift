import Primitives
import ApplePayToken
import FortAPI
import OutboundHTTP
import Logging
import PaymentRelay

extension RelayMetrics {
    func observe(_ event: RelayEvent) {
        switch event {
        case .took(let times):
            for (step, duration) in times.taken { steps.record(duration, StepLabels(step: step)) }
        case .paid(let result):
            payments.count(OutcomeLabels(outcome: result.outcome))
            if case .failure(.tokenRefused(let verification)) = result, let check = verification.refusal {
                refusals.count(CheckLabels(check: check.name.rawValue))
            }
        case .performed(let command, let result):
            operations.count(OperationLabels(command: command, outcome: result.outcome))
        case .implausible(let kind): implausible.count(ImplausibilityLabels(kind: kind))
        case .reconciled(let reconciliation):
            reconciliations.count(ResultLabels(result: reconciliation.rawValue))
        }
    }

    func observe(_ exchange: FortExchange) {
        exchanges.record(
            exchange.duration, ExchangeLabels(command: exchange.command, result: exchange.result.word))
        if case .success(let answer) = exchange.result {
            answers.count(AnswerLabels(command: exchange.command, responseClass: answer.class))
        }
    }

    /// A token beyond FORT's documented limits: counted, and named in the log should FORT refuse it without a reason.
    func limitViolations(of merchantReference: String, _ limitViolations: [ValidationError], logger: Logger) {
        for limitViolation in limitViolations { self.limitViolations.count(FieldLabels(field: limitViolation.field)) }
        logger.warning(
            "token exceeds FORT's documented limits",
            metadata: [
                "merchant_reference": "\(merchantReference)",
                "limit_violations": "\(limitViolations.map(\.description).joined(separator: "; "))",
            ])
    }
}

extension Result<PaymentResult, PaymentRefusal> {
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
        case .failure(.notAllowed): "not_allowed"
        case .failure(.otherCurrency), .failure(.invalid): "invalid_fields"
        case .failure(.inFlight): "in_flight"
        case .failure(.idempotencyKeyTaken): "operation_taken"
        case .failure(.notSent): "not_sent"
        case .failure(.journalUnavailable): "journal_unavailable"
        }
    }
}

extension Result<FortAnswer, FortFailure> {
    fileprivate var word: String {
        switch self {
        case .success: "answered"
        case .failure(.outbound(.notSent)): "not_sent"
        case .failure(.outbound(.noAnswer)): "no_answer"
        case .failure(.unverified): "unverified"
        }
    }
}
