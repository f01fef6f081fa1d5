/// What the sandbox does with an order, chosen by its amount in minor units. Every other amount succeeds.
///
/// | amount | what happens |
/// |---|---|
/// | 10012 | declined: card expired |
/// | 10029 | declined: insufficient funds |
/// | 10666 | declined: transaction declined |
/// | 10785 | declined: blocked by fraud check |
/// | 10006 | technical problem, and nothing was charged |
/// | 10020 | on hold for ten seconds, then it succeeds |
/// | 15777 | charged, and answered with "failed to receive confirmation" |
/// | 10408 | charged, and never answered |
public enum SandboxOutcome: Sendable, Equatable {
    case success
    /// The message says why.
    case declined(message: String)
    case technicalProblem
    case onHold
    case unconfirmed
    case silent

    init(ofAmount amount: Int) {
        self =
            switch amount {
            case 10_012: .declined(message: "012")
            case 10_029: .declined(message: "029")
            case 10_666: .declined(message: "666")
            case 10_785: .declined(message: "785")
            case 10_006: .technicalProblem
            case 10_020: .onHold
            case 15_777: .unconfirmed
            case 10_408: .silent
            default: .success
            }
    }
}
