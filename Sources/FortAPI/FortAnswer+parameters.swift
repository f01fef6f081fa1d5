public import Primitives

extension FortAnswer {
    /// A parameter as text, whether FORT wrote a string, a number or a boolean; nil where it is absent, null, empty or
    /// nested.
    public subscript(name: String) -> String? {
        guard let text = parameters[name]?.scalarText, !text.isEmpty else { return nil }
        return text
    }

    /// FORT's own number of the order.
    public var fortID: String? { self["fort_id"] }
    /// Two digits; of the query, where the command is CHECK_STATUS.
    public var status: String? { self["status"] }
    /// In the request's language.
    public var responseMessage: String? { self["response_message"] }
    public var authorizationCode: String? { self["authorization_code"] }
    /// The card's scheme: `VISA`, `MASTERCARD`, `MADA`, `AMEX`.
    public var paymentOption: String? { self["payment_option"] }

    /// Of an answer to SDK_TOKEN: what FORT's mobile SDK pays with. Whoever has it can pay with it, so it is not for a log.
    public var sdkToken: Secret? {
        command == .sdkToken && self.class == .success ? self["sdk_token"].map(Secret.init) : nil
    }

    /// What the answer means for what was asked. Success is the command's own ``FortCommand/successCode`` and no other; where
    /// `status` says something else than the code begins with, it is uncertain.
    public var `class`: FortCode.Class { responseCode.class(answering: command, status: status) }

    /// Of an answer to CHECK_STATUS: what became of the order. Nil where FORT does not say.
    public var transactionState: TransactionState? {
        guard command == .checkStatus, self.class == .success, let status = self["transaction_status"] else {
            return nil
        }
        if let code = self["transaction_code"], FortCode(code)?.status != status { return .unsettled }
        return TransactionState(status: status)
    }
}

extension JSON {
    /// A string, a number or a boolean as FORT's text; nil for the rest.
    var scalarText: String? {
        switch self {
        case .string(let text): text
        case .number(let literal): literal
        case .bool(let truth): truth ? "true" : "false"
        case .null, .array, .object: nil
        }
    }
}
