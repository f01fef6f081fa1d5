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
        guard failure.isFailure, let entry = FortCodeEntry.byMessage[message] else { return .uncertain }
        if let known = entry.class { return known }
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

    /// What the relay does with an answer of the class to a payment.
    public var whatTheRelayDoes: String {
        switch self {
        case .success: "The payment is captured or authorized; the capture, void or refund is done."
        case .declined, .signature, .configuration, .request, .token, .notAllowed: "The payment is declined."
        case .duplicate: "The payment is uncertain, and the relay queries the order that FORT has."
        case .uncertain: "The payment is uncertain, and the relay queries FORT until the outcome is known."
        case .notFound:
            "After a query the payment is not processed, once no request can be under way. After a payment it is uncertain."
        }
    }
}
