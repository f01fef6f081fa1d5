import FortAPI
import SandboxParts

/// The outcome of a charge, a capture, a void or a refund in the sandbox. The amount or the order's reference
/// selects it; without a selection the outcome is success. The table is in `docs/sandbox.md`.
public enum SandboxOutcome: Sendable, Equatable {
    case success
    /// The bank declines. The message gives the reason.
    case declined(message: String)
    case technicalProblem
    /// The command is carried out ten seconds later.
    case onHold
    /// The command is carried out, and the answer does not say so.
    case unconfirmed
    /// The command is carried out, and no answer is sent.
    case silent
    /// A charge creates two orders with its reference, and the answer is about the first. Other commands are done
    /// once.
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

    /// Selects the outcome by the reference, or else by the amount. A reference that ends in `.void-10408` gives
    /// the order's void the outcome of the amount 10408. So tests can select an outcome for requests without an
    /// amount or with a fixed amount.
    ///
    /// - Parameter amount: the amount in minor units; `nil` for a void, which has no amount.
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

    /// Returns the code in FORT's answer to a command with this outcome. FORT documents status 20 ("On hold.")
    /// without a message; the sandbox uses message 000.
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
    /// The word that represents the command in a reference that selects an outcome; `nil` if no outcome can be
    /// selected.
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
