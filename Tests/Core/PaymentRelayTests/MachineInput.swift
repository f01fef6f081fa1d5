import Foundation
import PayrelayPrimitives

@testable import PaymentRelay

/// One input of the machine, as a value that tests can list, draw at random, and try on every state.
enum SampleEvent: Sendable, Equatable {
    case charged(Outcome<GatewayAnswer>)
    case interrupted
    case queried(Outcome<GatewayAnswer>, timeUncertain: Duration)
    case requested(OperationCommand, amount: MinorUnits?)
    case performed(Outcome<GatewayAnswer>)
}

/// The machine's decision, or the permission to begin an operation, as one type.
enum MachineDecision: Sendable, Equatable {
    case record(GatewayAnswer?, reason: String?)
    case recordOperation(GatewayAnswer?, reason: String?)
    /// The decision to add an entry to the history and to raise an alert. The payment does not change.
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

    /// The word for the decision in a cell of `docs/state-machine.md`.
    var word: String {
        switch self {
        case .record, .recordOperation: "record"
        case .begin: "begin"
        case .refuse: "refuse"
        case .alert: "alert"
        case .stillOpen: "query"
        case .unchanged: "–"
        }
    }
}

extension SampleEvent {
    /// Returns the event as an input of the state machine, or `nil` for a request, which is not an input. A report on an
    /// operation is about the open operation.
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
    /// Returns the occasion of a query that the relay makes by itself at the given time.
    static func at(_ moment: Date) -> Occasion {
        Occasion(at: moment, origin: Origin(.checkStatus(by: .reconciler), request: nil), recordsEvents: true)
    }
}

/// A payment that goes through one event after the other.
struct SamplePayment {
    private(set) var payment: Payment
    private let patience: NotFoundPatience

    init(
        state: PaymentState = .processing, amount: MinorUnits, balance: Balance = Balance(),
        operation: PaymentOperation? = nil, gatewayReference: String? = nil, isReferenceOfCharge: Bool = true,
        notFoundAfter: Duration
    ) {
        payment = Payment(
            merchantReference: "A", command: .authorization, amount: amount, currency: "AED",
            fingerprint: RequestFingerprint(bytes: []), appleTransactionIdentifier: "ab",
            claimedAt: Date(timeIntervalSince1970: 1_800_000_000), gateway: "fort", state: state, balance: balance,
            operations: operation.map { [$0] } ?? [],
            gatewayReference: gatewayReference,
            isReferenceOfCharge: isReferenceOfCharge && gatewayReference != nil)
        patience = NotFoundPatience(charge: notFoundAfter, operation: notFoundAfter)
    }

    var state: PaymentState { payment.state }
    var balance: Balance { payment.balance }
    /// The open operation, or the one that ended last. `nil` if none was begun, or if the last one was not sent.
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
        var occasion = Occasion.at(payment.claimedAt)
        if case .charged = input {
            let origin = Origin(.gatewayAnswer, request: nil)
            occasion = Occasion(at: payment.claimedAt, origin: origin, recordsEvents: true)
        }
        let decision = payment.apply(input, on: occasion, patience: patience)
        if case .record(let change) = decision { payment = change.after }
        return MachineDecision(decision)
    }
}
