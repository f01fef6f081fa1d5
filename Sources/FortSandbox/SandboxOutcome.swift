/// What the sandbox does with an order, chosen by its amount in minor units. Every other amount succeeds.
///
/// | amount | what happens | answer to PURCHASE | `transaction_code` of CHECK_STATUS |
/// |---|---|---|---|
/// | 10012 | declined: card expired | 13012 | 13012 |
/// | 10029 | declined: insufficient funds | 13029 | 13029 |
/// | 10666 | declined: transaction declined | 13666 | 13666 |
/// | 10785 | declined: blocked by fraud check | 13785 | 13785 |
/// | 10006 | technical problem, and nothing was charged | 13006 | 13006 |
/// | 10020 | on hold for ten seconds, then it succeeds | 20000 | 20000, then 14000 |
/// | 15777 | charged, and answered with "failed to receive confirmation" | 15777 | 14000 |
/// | 10408 | charged, and never answered | none | 14000 |
///
/// For AUTHORIZATION read 02 in place of 14, and 03 in place of 13. FORT documents the status 20 ("On hold.") without a
/// message for it; the sandbox's is 000.
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
