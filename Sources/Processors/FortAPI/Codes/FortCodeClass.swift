extension FortCode {
    /// Meaning of a code for the order. APS publishes the codes and their texts; the classes are ours.
    public enum Class: String, Hashable, Sendable, CaseIterable {
        /// Done. Compare with the command's ``FortCommand/successCode`` before taking a payment for successful.
        case success
        /// The payment was tried and failed: no money moves.
        case declined
        /// A duplicate: FORT has an order of this reference already. CHECK_STATUS tells its outcome.
        case duplicate
        /// This code does not tell whether money moved. Every unknown code is uncertain.
        case uncertain
        /// FORT has no order of this reference.
        case notFound = "not_found"
        /// FORT computed another signature: the request phrase or the SHA type is wrong.
        case signature
        /// The account or its settings do not permit this: credentials, currency, services, the list of source addresses.
        case configuration
        /// The request is malformed. FORT refused it unprocessed.
        case request
        /// FORT could not use Apple's token: expired, or made for another processing certificate.
        case token
        /// The order's state does not permit this.
        case notAllowed = "not_allowed"
    }

    /// The class of this code, read from its status and its message together; where they contradict each other, uncertain.
    public var `class`: Class {
        if isSuccessOfSomeCommand { return .success }
        if message == "036", ["00", "11", "12"].contains(status) { return .notFound }
        let failure = FortStatus(status)
        guard failure.isFailure, messageText != nil else { return .uncertain }
        if let known = FortCode.classOfMessage(message) { return known }
        switch failure {
        case .requestInvalid: return .request
        case .chargeFailed: return .declined
        default: return .uncertain
        }
    }

    /// The class of this code where it answers a command: success is the command's own ``FortCommand/successCode`` and no
    /// other.
    ///
    /// - Parameters:
    ///   - command: nil for an unknown command, which has no success.
    ///   - status: what stands beside the code, if anything. Where it is not the code's own, the answer contradicts itself.
    func `class`(answering command: FortCommand?, status: String?) -> Class {
        if let status, status != self.status { return .uncertain }
        if self == command?.successCode { return .success }
        return self.class == .success ? .uncertain : self.class
    }

    private var isSuccessOfSomeCommand: Bool { FortCommand.allCases.contains { $0.successCode == self } }

    /// Messages with which FORT says that it has not decided: "Transaction waiting for customer’s action", "Transaction in review",
    /// "Transaction still processing you can’t make another transaction".
    static let undecidedMessages: Set<String> = ["065", "090", "784"]

    /// The class that a message has under every failure status; nil where only the status tells. A message that itself speaks
    /// of something created, paid or under way contradicts a failure.
    static func classOfMessage(_ message: String) -> Class? {
        switch message {
        case "007", "047", "066", "784": .duplicate
        case "000", "006", "011", "035", "036", "051", "054", "062", "063", "064", "065", "069", "071", "090", "117",
            "124",
            "125", "128", "138", "140", "147", "148", "777", "778", "779", "780", "781":
            .uncertain
        case "008": .signature
        case "003", "009", "010", "014", "015", "017", "018", "019", "020", "021", "023", "024", "025", "026", "038",
            "039",
            "040", "043", "046", "049", "068", "078", "082", "093", "097", "111", "112", "113", "225":
            .configuration
        case "001", "002", "004", "005", "013", "027", "032", "033", "073", "080", "110": .request
        case "089", "099", "102": .token
        case "034", "042", "048", "662": .notAllowed
        case "012", "016", "029", "030", "031", "050", "057", "058", "072", "074", "075", "079", "083", "118", "119",
            "123",
            "666", "746", "747", "773", "785", "787":
            .declined
        default: nil
        }
    }
}

extension FortCode.Class {
    /// Whether FORT refused or declined, so that what was asked for moved no money.
    public var provesNoMoneyMoved: Bool {
        switch self {
        case .declined, .signature, .configuration, .request, .token, .notAllowed: true
        case .success, .duplicate, .uncertain, .notFound: false
        }
    }

    /// One line that says what the class means for the sender of the request.
    public var explanation: String {
        switch self {
        case .success: "It is done."
        case .declined: "The payment was tried and failed. No money moves."
        case .duplicate: "FORT has an order of this reference already. CHECK_STATUS tells what became of that one."
        case .uncertain: "Nobody can tell from this code whether money moved. Ask with CHECK_STATUS."
        case .notFound: "FORT has no order of this reference."
        case .signature: "FORT computed another signature."
        case .configuration: "The account or its settings do not permit this. The merchant or APS must change them."
        case .request: "The request is malformed, and was refused unprocessed."
        case .token: "FORT could not use Apple's token."
        case .notAllowed: "The order's state does not permit this."
        }
    }
}
