extension FortCode {
    /// The meaning of a code for the order. APS publishes the codes and their texts; the classes are payrelay's.
    public enum Class: String, Hashable, Sendable, CaseIterable {
        /// The command was done. Compare the code with the command's ``FortCommand/successCode`` before you treat
        /// a payment as successful.
        case success
        /// The payment was attempted and failed: no money moved.
        case declined
        /// FORT already has an order with this reference. CHECK_STATUS shows its outcome.
        case duplicate
        /// The code does not say whether money moved. Every unknown code is uncertain.
        case uncertain
        /// FORT has no order with this reference.
        case notFound = "not_found"
        /// FORT computed another signature: the request phrase or the SHA type is wrong.
        case signature
        /// The account or its settings do not permit this: credentials, currency, services, or the list of source
        /// addresses.
        case configuration
        /// The request is malformed. FORT rejected it without processing it.
        case request
        /// FORT could not use Apple's token: the token expired, or was encrypted for another processing
        /// certificate.
        case token
        /// The order's state does not permit this.
        case notAllowed = "not_allowed"
    }

    /// The class of this code, derived from its status and message together:
    /// - The success code of a command is `success`.
    /// - Message 036 ("Order not found.") with status 00, 11 or 12 is `notFound`.
    /// - Unless the status is a failure and the message is known, the class is `uncertain`.
    /// - A message with a class of its own decides.
    /// - Otherwise status 00 means `request`, 03 and 13 mean `declined`, and any other failure means `uncertain`.
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

    /// Returns the class of this code in an answer to a command. Only the command's ``FortCommand/successCode``
    /// is a success.
    ///
    /// - Parameters:
    ///   - command: the command; `nil` for an unknown command, which cannot succeed.
    ///   - status: the status beside the code, if there is one. If it is not the code's status, the answer
    ///     contradicts itself, and the class is `uncertain`.
    func `class`(answering command: FortCommand?, status: String?) -> Class {
        if let status, status != self.status { return .uncertain }
        if self == command?.successCode { return .success }
        return self.class == .success ? .uncertain : self.class
    }

    private var isSuccessOfSomeCommand: Bool { FortCommand.allCases.contains { $0.successCode == self } }

    /// The messages with which FORT says that it has not decided: "Transaction waiting for customer’s action",
    /// "Transaction in review" and "Transaction still processing you can’t make another transaction".
    static let undecidedMessages: Set<String> = ["065", "090", "784"]
}

extension FortCode.Class {
    /// Whether FORT rejected or declined the command, so that the command moved no money.
    public var provesNoMoneyMoved: Bool {
        switch self {
        case .declined, .signature, .configuration, .request, .token, .notAllowed: true
        case .success, .duplicate, .uncertain, .notFound: false
        }
    }

    /// One line about the meaning of the class for the sender of the request.
    public var explanation: String {
        switch self {
        case .success: "It is done."
        case .declined: "The payment was tried and failed. No money moves."
        case .duplicate: "FORT has an order of this reference already. CHECK_STATUS reports its outcome."
        case .uncertain: "This code does not show whether money moved. Query with CHECK_STATUS."
        case .notFound: "FORT has no order of this reference."
        case .signature: "FORT computed another signature."
        case .configuration: "The account or its settings do not permit this. The merchant or APS must change them."
        case .request: "The request is malformed, and was refused unprocessed."
        case .token: "FORT could not use Apple's token."
        case .notAllowed: "The order's state does not permit this."
        }
    }

    /// The relay's reaction to an answer of this class to a payment, in one line.
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
