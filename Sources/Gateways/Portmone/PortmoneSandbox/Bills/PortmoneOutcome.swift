import SandboxParts

/// The outcome of a charge, a capture, a void or a refund in the sandbox. The amount or the order's number
/// selects it; without a selection the outcome is success.
public enum PortmoneOutcome: Sendable, Equatable {
    /// The reason why a bank declines. Portmone's codes are not public, so these codes are the sandbox's.
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
    /// Nothing is carried out, and the answer is an error that does not say so.
    case technicalProblem
    /// A capture, a void or a refund is refused with the published code 5. A charge succeeds.
    case refused
    /// A charge holds the money, even if the request does not ask for a hold.
    case preauthorized
    /// A charge waits for the customer on the bank's page: status CREATED, `isNeed3DS` "Y".
    case needs3DS
    /// A charge creates two paid bills.
    case paidTwice
    /// The request is carried out, and the body of the answer is empty.
    case emptyAnswer
    /// The request is carried out, and no answer is sent.
    case silent

    /// Selects the outcome by an amount.
    ///
    /// - Parameter amount: the amount in minor units.
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

    /// Selects the outcome by the order's number, or else by the amount. An order number that ends in
    /// `.void-10408` gives the order's void the outcome of the amount 10408. `.charge-`, `.capture-` and
    /// `.refund-` work the same way. So tests can select an outcome for requests without an amount or with a
    /// fixed amount.
    ///
    /// - Parameter amount: the amount in minor units; `nil` for a void, which has no amount.
    init(of verb: Verb, amount: Int?, shopOrderNumber: String) {
        self.init(ofAmount: ChosenOutcome.amount(of: verb.rawValue, by: shopOrderNumber) ?? amount ?? 0)
    }

    enum Verb: String { case charge, capture, void, refund }

    /// The reason why the request is not carried out; `nil` if it is carried out.
    var failure: GatewayError? {
        switch self {
        case .declined(let decline): .declined(decline)
        case .technicalProblem: .technicalProblem
        case .refused: .wrongStatus
        case .success, .preauthorized, .needs3DS, .paidTwice, .emptyAnswer, .silent: nil
        }
    }
}
