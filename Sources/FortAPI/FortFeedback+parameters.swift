import Primitives

extension FortFeedback {
    /// A parameter as text, whether FORT wrote a string, a number or a boolean; nil where it is absent, null, empty or
    /// nested.
    public subscript(name: String) -> String? {
        guard let text = parameters[name]?.scalarText, !text.isEmpty else { return nil }
        return text
    }

    /// What FORT did; nil where it is nothing that the relay asks for.
    public var command: FortCommand? {
        FortCommand.allCases.first { self[$0.parameterName] == $0.rawValue }
    }

    /// FORT's own number of the order.
    public var fortID: String? { self["fort_id"] }

    /// What the message means for the command. Success is the command's own ``FortCommand/successCode`` and no other; where
    /// `status` says something else than the code begins with, it is uncertain.
    public var `class`: FortCode.Class { responseCode.class(answering: command, status: self["status"]) }

    /// What the message says became of the payment. A capture, a void or a refund that failed says nothing of it, and
    /// neither does a duplicate: `unsettled`, ask with CHECK_STATUS.
    public var transactionState: TransactionState {
        switch (self.class, command) {
        case (.success, _): TransactionState(status: responseCode.status)
        case (.declined, .authorization), (.declined, .purchase): .failed
        default: .unsettled
        }
    }
}
