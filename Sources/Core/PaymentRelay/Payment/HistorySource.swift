import PayrelayPrimitives

/// The cause of an entry of a payment's history. A journal keeps its ``text``.
public enum HistorySource: Sendable, Hashable {
    /// A client requested a payment, or a capture, a void or a refund. The name is `nil` if clients are not
    /// authenticated.
    case client(String?)
    /// An operator requested it. The value is the operator's name.
    case `operator`(String)
    /// The gateway's verified answer to the charge or the operation, or the lack of one.
    case gatewayAnswer
    /// The gateway's answer to a query about the payment.
    case checkStatus(by: StatusRequester)
    /// The process that was sending the request stopped before it recorded an answer.
    case recovery
    /// The customer's data was erased because it was old enough.
    case retention
    /// A command on the machine, such as `payrelay forget`.
    case commandLine
}

/// The requester of a query to the gateway.
public enum StatusRequester: Sendable, Hashable {
    /// The relay itself, about an open payment or operation.
    case reconciler
    /// `POST /v1/payments/{merchant_reference}/sync`. The name is `nil` if clients are not authenticated.
    case client(String?)
    /// An operator in the console. The value is the operator's name.
    case `operator`(String)
    /// `payrelay payments sync`.
    case commandLine
    /// `payrelay reconcile report --adopt`.
    case report
    /// A notification of the gateway. It proves nothing, so the relay sent a query.
    case notification(FeedbackKind)
}

/// The address to which the gateway sent feedback.
public enum FeedbackKind: String, Sendable, Hashable {
    /// Direct feedback: right after a transaction.
    case direct
    /// Notification feedback: later, or about a transaction without a request, for example on the gateway's own
    /// pages.
    case notification
}

extension HistorySource {
    /// The source as a journal keeps it: words separated by one space, a name last.
    public var text: String {
        switch self {
        case .client(let name): Self.words("client", name)
        case .operator(let name): Self.words("operator", name)
        case .gatewayAnswer: "processor_answer"
        case .checkStatus(let requester): "check_status \(requester.text)"
        case .recovery: "recovery"
        case .retention: "retention"
        case .commandLine: "command_line"
        }
    }

    /// Reads a source from a journal; `nil` for a text that no version of this code wrote. The source is then
    /// unknown, and the rest of the entry is shown all the same.
    public init?(text: String) {
        guard let (word, rest) = Self.split(text) else { return nil }
        switch (word, rest) {
        case ("client", let name): self = .client(name)
        case ("operator", let name?): self = .operator(name)
        case ("processor_answer", nil): self = .gatewayAnswer
        case ("check_status", let requester?):
            guard let requester = StatusRequester(text: requester) else { return nil }
            self = .checkStatus(by: requester)
        case ("recovery", nil): self = .recovery
        case ("retention", nil): self = .retention
        case ("command_line", nil): self = .commandLine
        default: return nil
        }
    }

    /// The first word of the source's text.
    public var word: String { Self.split(text)?.word ?? text }

    fileprivate static func words(_ word: String, _ name: String?) -> String { name.map { "\(word) \($0)" } ?? word }

    /// A limit in bytes, longer than a name with the words before it.
    private static let textLimit = 1_024

    /// Splits a text at its first space; `nil` if the text is longer than any source, or ends in that space.
    fileprivate static func split(_ text: String) -> (word: String, rest: String?)? {
        guard text.utf8.count <= textLimit else { return nil }
        let (word, rest) = text.cut(at: " ")
        guard rest?.isEmpty != true else { return nil }
        return (String(word), rest.map(String.init))
    }
}

extension StatusRequester {
    /// The requester as a journal keeps it.
    public var text: String {
        switch self {
        case .reconciler: "reconciler"
        case .client(let name): HistorySource.words("client", name)
        case .operator(let name): HistorySource.words("operator", name)
        case .commandLine: "command_line"
        case .report: "report"
        case .notification(let kind): "notification \(kind.rawValue)"
        }
    }

    /// Reads a requester from a journal; `nil` for a text that no version of this code wrote.
    public init?(text: String) {
        guard let (word, rest) = HistorySource.split(text) else { return nil }
        switch (word, rest) {
        case ("reconciler", nil): self = .reconciler
        case ("client", let name): self = .client(name)
        case ("operator", let name?): self = .operator(name)
        case ("command_line", nil): self = .commandLine
        case ("report", nil): self = .report
        case ("notification", let kind?):
            guard let kind = FeedbackKind(rawValue: kind) else { return nil }
            self = .notification(kind)
        default: return nil
        }
    }

    /// The first word of the requester's text.
    public var word: String { HistorySource.split(text)?.word ?? text }

    public var clientName: String? { if case .client(let name) = self { name } else { nil } }
    public var operatorName: String? { if case .operator(let name) = self { name } else { nil } }
}

extension HistorySource {
    /// The requester of the query; `nil` if the entry does not come from a query.
    public var requester: StatusRequester? { if case .checkStatus(let requester) = self { requester } else { nil } }

    /// The client that caused the entry; `nil` if no client did, or clients are not authenticated.
    public var clientName: String? { if case .client(let name) = self { name } else { requester?.clientName } }

    /// The operator who caused the entry; `nil` if no operator did.
    public var operatorName: String? { if case .operator(let name) = self { name } else { requester?.operatorName } }

    /// The kind of feedback that made the relay send a query; `nil` if no feedback did.
    public var feedback: FeedbackKind? { if case .notification(let kind) = requester { kind } else { nil } }
}
