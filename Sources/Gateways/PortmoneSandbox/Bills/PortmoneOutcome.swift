import SandboxParts

/// Outcome of a charge, a capture, a void or a refund in the sandbox, chosen by its amount or by the order's number.
/// Every other one succeeds.
public enum PortmoneOutcome: Sendable, Equatable {
    /// Why a bank declines. Portmone's own codes are not public: these are the sandbox's.
    public enum Decline: String, Sendable {
        case cardExpired = "12"
        case insufficientFunds = "29"
        case declined = "666"
        case blocked = "785"

        var text: String {
            switch self {
            case .cardExpired: "the card has expired"
            case .insufficientFunds: "insufficient funds"
            case .declined: "the bank declined"
            case .blocked: "blocked by the fraud check"
            }
        }
    }

    case success
    case declined(Decline)
    /// Nothing is done, and an error is answered that does not say so.
    case technicalProblem
    /// A capture, a void or a refund is refused with the published code 5. A charge succeeds.
    case refused
    /// A charge is held, whatever it asks for.
    case preauthorized
    /// A charge waits for the customer on the bank's page: CREATED, with `isNeed3DS` "Y".
    case needs3DS
    /// A charge makes two paid bills.
    case paidTwice
    /// It is carried out, and the body of the answer is empty.
    case emptyAnswer
    /// It is carried out and never answered.
    case silent

    /// - Parameter amount: in minor units.
    init(ofAmount amount: Int) {
        self =
            switch amount {
            case 10_012: .declined(.cardExpired)
            case 10_029: .declined(.insufficientFunds)
            case 10_666: .declined(.declined)
            case 10_785: .declined(.blocked)
            case 10_005: .refused
            case 10_006: .technicalProblem
            case 10_200: .preauthorized
            case 10_300: .needs3DS
            case 10_002: .paidTwice
            case 15_777: .emptyAnswer
            case 10_408: .silent
            default: .success
            }
    }

    /// An order number that ends in `.void-10408` gives the void of that order the outcome of the amount 10408, for tests of
    /// requests without an amount or with a fixed one; the same for `.charge-`, `.capture-` and `.refund-`.
    ///
    /// - Parameter amount: in minor units; nil for a void, which has none.
    init(of verb: Verb, amount: Int?, shopOrderNumber: String) {
        self.init(ofAmount: ChosenOutcome.amount(of: verb.rawValue, by: shopOrderNumber) ?? amount ?? 0)
    }

    enum Verb: String { case charge, capture, void, refund }

    /// Why it is not carried out; nil where it is.
    var failure: GatewayError? {
        switch self {
        case .declined(let decline): .declined(decline)
        case .technicalProblem: .technicalProblem
        case .refused: .wrongStatus
        case .success, .preauthorized, .needs3DS, .paidTwice, .emptyAnswer, .silent: nil
        }
    }
}
