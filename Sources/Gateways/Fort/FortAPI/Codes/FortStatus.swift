/// The meaning of a status: the first two digits of a code. This is the only table of FORT's statuses: the class
/// of a code, the state of a transaction and the outcome of a report's line are derived from it.
public enum FortStatus: Hashable, Sendable {
    /// The command was done; see ``FortCommand/successCode``.
    case done(FortCommand)
    /// The authorization or the purchase failed: 03, 13.
    case chargeFailed
    /// The capture, the refund or the void failed: 05, 07, 09. This says nothing about the charge.
    case operationFailed
    /// FORT rejected the request: 00.
    case requestInvalid
    /// FORT could not use Apple's token: 23.
    case walletFailed
    /// The status query or the SDK token failed: 11, 21. This says nothing about a transaction.
    case queryFailed
    /// The order is stored (01), incomplete (10), uncertain (15), pending (19), on hold (20) or in review (40),
    /// or the status belongs to another product or is not documented.
    case undecided

    /// The statuses with which FORT says that it has not decided: "Uncertain Transaction", "Transaction pending",
    /// "On hold" and "Transaction In review". Any other status is about something that has ended: "Order Stored"
    /// and "Incomplete" describe a customer who left.
    static let undecidedByFort: Set<String> = ["15", "19", "20", "40"]

    /// - Parameter digits: the status of two digits. Any other text is `undecided`.
    public init(_ digits: some StringProtocol) {
        switch digits {
        case "00": self = .requestInvalid
        case "03", "13": self = .chargeFailed
        case "05", "07", "09": self = .operationFailed
        case "11", "21": self = .queryFailed
        case "23": self = .walletFailed
        default:
            let command = FortCommand.allCases.first { $0.successCode.status == digits }
            self = command.map(FortStatus.done) ?? .undecided
        }
    }

    /// Whether FORT's text for the status says "failed" or "invalid". The message may still leave open whether
    /// money moved.
    public var isFailure: Bool {
        switch self {
        case .chargeFailed, .operationFailed, .requestInvalid, .walletFailed, .queryFailed: true
        case .done, .undecided: false
        }
    }
}
