import FortAPI
import SandboxParts

/// Outcome of a charge, a capture, a void or a refund in the sandbox, chosen by its amount or by the order's reference.
/// Every other one succeeds. `docs/sandbox.md` has the table.
public enum SandboxOutcome: Sendable, Equatable {
    case success
    /// The message says why.
    case declined(message: String)
    case technicalProblem
    /// It is carried out ten seconds later.
    case onHold
    /// It is carried out, and the answer does not say so.
    case unconfirmed
    /// It is carried out and never answered.
    case silent
    /// A charge makes two orders under its reference, and the answer is about the first. Anything else is done once.
    case chargedTwice

    init(ofAmount amount: Int) {
        self =
            switch amount {
            case 10_012: .declined(message: "012")
            case 10_029: .declined(message: "029")
            case 10_666: .declined(message: "666")
            case 10_785: .declined(message: "785")
            case 10_006: .technicalProblem
            case 10_020: .onHold
            case 10_002: .chargedTwice
            case 15_777: .unconfirmed
            case 10_408: .silent
            default: .success
            }
    }

    /// A reference that ends in `.void-10408` gives the void of that order the outcome of the amount 10408, for tests of
    /// requests without an amount or with a fixed one.
    ///
    /// - Parameter amount: in minor units; nil for a void, which has none.
    init(of command: FortCommand, amount: Int?, merchantReference: String) {
        let chosen = command.verb.flatMap { ChosenOutcome.amount(of: $0, by: merchantReference) }
        self.init(ofAmount: chosen ?? amount ?? 0)
    }

    /// Whether money moves, at once or later.
    var isCarriedOut: Bool {
        switch self {
        case .success, .onHold, .unconfirmed, .silent, .chargedTwice: true
        case .declined, .technicalProblem: false
        }
    }

    /// The code of FORT's answer to a command with this outcome. FORT documents the status 20 ("On hold.") without a message for it;
    /// the sandbox's is 000.
    func code(answering command: FortCommand) -> (status: String, message: String) {
        switch self {
        case .success, .silent, .chargedTwice: (command.successCode.status, command.successCode.message)
        case .declined(let message): (command.failureStatus, message)
        case .technicalProblem: (command.failureStatus, "006")
        case .onHold: ("20", "000")
        case .unconfirmed: ("15", "777")
        }
    }
}

extension FortCommand {
    /// The word for the command in a reference that chooses an outcome.
    fileprivate var verb: String? {
        switch self {
        case .authorization, .purchase: "charge"
        case .capture: "capture"
        case .voidAuthorization: "void"
        case .refund: "refund"
        case .checkStatus, .sdkToken: nil
        }
    }
}
