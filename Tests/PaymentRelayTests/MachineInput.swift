import PayrelayPrimitives
@testable import PaymentRelay

/// One of the machine's inputs, so that tests can list them, draw them and try each on every state.
enum PaymentInput: Sendable, Equatable {
    case charged(ProcessorReport)
    case interrupted
    case queried(ProcessorReport, timeUncertain: Duration)
    case requested(OperationCommand, amount: MinorUnits?)
    case performed(ProcessorReport)
}

/// What the machine's functions return, as one type.
enum MachineDecision: Sendable, Equatable {
    case record(ProcessorAnswer?, reason: String?)
    case recordOperation(ProcessorAnswer?, reason: String?)
    /// An entry of the history, and an alert; nothing changes.
    case alert(ProcessorAnswer, reason: String)
    case begin(amount: MinorUnits)
    case refuse(OperationRefusal)
    case stillOpen(reason: String)
    case unchanged

    init(_ outcome: PaymentStateMachine.Outcome) {
        self =
            switch outcome {
            case .record(.charge(let proof, let reason)): .record(proof, reason: reason)
            case .record(.operation(_, let proof, let reason)): .recordOperation(proof, reason: reason)
            case .record(.operationNotSent(_, let reason)): .recordOperation(nil, reason: reason)
            case .record(.secondCharge(let proof, let reason)): .alert(proof, reason: reason)
            case .stillOpen(let reason): .stillOpen(reason: reason)
            case .unchanged: .unchanged
            }
    }

    /// What a cell of `docs/payment-states.md` says of it.
    var word: String {
        switch self {
        case .record(nil, _), .recordOperation(nil, _): "record"
        case .record(_?, _), .recordOperation(_?, _): "record with the answer"
        case .begin: "begin"
        case .refuse: "refuse"
        case .alert: "alert"
        case .stillOpen: "ask again"
        case .unchanged: "rest"
        }
    }
}

extension PaymentStateMachine {
    mutating func handle(_ input: PaymentInput) -> MachineDecision {
        switch input {
        case .requested(let command, let amount):
            do throws(OperationRefusal) {
                return .begin(amount: try permit(command, amount: amount))
            } catch {
                return .refuse(error)
            }
        case .charged(let report): return MachineDecision(afterCharge(report))
        case .interrupted: return MachineDecision(afterInterruption())
        case .queried(let report, let time): return MachineDecision(afterStatus(report, timeUncertain: time))
        case .performed(let report): return MachineDecision(afterPerforming(report))
        }
    }

    /// The report is about the operation that is open.
    private mutating func afterPerforming(_ report: ProcessorReport) -> Outcome {
        afterOperation(report, to: operation ?? .sample(.capture, 1, .processing))
    }

    /// The transition that an input leads to.
    mutating func transition(after input: PaymentInput) -> Transition? {
        let outcome: Outcome
        switch input {
        case .charged(let report): outcome = afterCharge(report)
        case .interrupted: outcome = afterInterruption()
        case .queried(let report, let time): outcome = afterStatus(report, timeUncertain: time)
        case .performed(let report): outcome = afterPerforming(report)
        case .requested: return nil
        }
        guard case .record(let transition) = outcome else { return nil }
        return transition
    }
}
