import Foundation
import PayrelayPrimitives

@testable import PaymentRelay

/// One of the machine's inputs, so that tests can list them, draw them and try each on every state.
enum SampleEvent: Sendable, Equatable {
    case charged(Outcome<GatewayAnswer>)
    case interrupted
    case queried(Outcome<GatewayAnswer>, timeUncertain: Duration)
    case requested(OperationCommand, amount: MinorUnits?)
    case performed(Outcome<GatewayAnswer>)
}

/// What the machine decides, and whether an operation may begin, as one type.
enum MachineDecision: Sendable, Equatable {
    case record(GatewayAnswer?, reason: String?)
    case recordOperation(GatewayAnswer?, reason: String?)
    /// An entry of the history, and an alert; nothing changes.
    case alert(GatewayAnswer, reason: String)
    case begin(amount: MinorUnits)
    case refuse(OperationRefusal)
    case stillOpen(reason: String)
    case unchanged

    init(_ decision: PaymentDecision) {
        switch decision {
        case .record(let change):
            if let proof = change.proof, change.noted != nil {
                self = .alert(proof, reason: change.reason ?? "")
            } else if change.before?.operations == change.after.operations {
                self = .record(change.proof, reason: change.reason)
            } else {
                self = .recordOperation(change.proof, reason: change.reason)
            }
        case .stillOpen(let reason): self = .stillOpen(reason: reason)
        case .unchanged: self = .unchanged
        }
    }

    /// What a cell of `docs/state-machine.md` says of it.
    var word: String {
        switch self {
        case .record, .recordOperation: "record"
        case .begin: "begin"
        case .refuse: "refuse"
        case .alert: "alert"
        case .stillOpen: "ask"
        case .unchanged: "–"
        }
    }
}

extension SampleEvent {
    /// As the state machine takes it: a report on an operation is about the one that is open. Nil for a request, which is no input.
    func input(on payment: Payment) -> PaymentInput? {
        switch self {
        case .charged(let report): .charged(report)
        case .interrupted: .interrupted
        case .queried(let report, let time): .queried(report, timeUncertain: time)
        case .performed(let report): .performed(payment.openOperation ?? .sample(.capture, 1, .processing), report)
        case .requested: nil
        }
    }
}

extension Occasion {
    /// A query by the relay itself at that time.
    static func at(_ moment: Date) -> Occasion {
        Occasion(at: moment, origin: Origin(.checkStatus(by: .reconciler), request: nil), recordsEvents: true)
    }
}

/// A payment that lives through one event after the other.
struct SamplePayment {
    private(set) var payment: Payment
    private let patience: NotFoundPatience

    init(
        state: PaymentState = .processing, amount: MinorUnits, balance: Balance = Balance(),
        operation: PaymentOperation? = nil, gatewayReference: String? = nil, notFoundAfter: Duration
    ) {
        payment = Payment(
            merchantReference: "A", command: .authorization, amount: amount, currency: "AED",
            fingerprint: RequestFingerprint(bytes: []), appleTransactionIdentifier: "ab",
            claimedAt: Date(timeIntervalSince1970: 1_800_000_000), gateway: "fort", state: state, balance: balance,
            operations: operation.map { [$0] } ?? [],
            gatewayReference: gatewayReference)
        patience = NotFoundPatience(charge: notFoundAfter, operation: notFoundAfter)
    }

    var state: PaymentState { payment.state }
    var balance: Balance { payment.balance }
    /// The open operation, or the one that ended last; nil where none was begun or the last was not sent.
    var operation: PaymentOperation? {
        get { payment.operations.last }
        set { payment.operations = newValue.map { [$0] } ?? [] }
    }

    mutating func handle(_ event: SampleEvent) -> MachineDecision {
        if case .requested(let command, let amount) = event {
            do throws(OperationRefusal) {
                return .begin(amount: try payment.permit(command, amount: amount))
            } catch {
                return .refuse(error)
            }
        }
        guard let input = event.input(on: payment) else { return .unchanged }
        let decision = payment.apply(input, on: .at(payment.claimedAt), patience: patience)
        if case .record(let change) = decision { payment = change.after }
        return MachineDecision(decision)
    }
}
