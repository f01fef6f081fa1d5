import PayrelayPrimitives

/// Where an entry of a payment's history comes from. A journal keeps its ``text``.
public enum HistorySource: Sendable, Hashable {
    /// A client asked for a payment, or for a capture, a void or a refund. Nil where clients are not authenticated.
    case client(String?)
    /// An operator asked for it, by name.
    case `operator`(String)
    /// The gateway's verified answer to the charge or the operation, or that there was none.
    case gatewayAnswer
    /// The gateway's answer to a question about the payment.
    case checkStatus(by: StatusAsker)
    /// The process that was sending the request had stopped before it recorded an answer.
    case recovery
    /// The customer's data was erased because it was old enough.
    case retention
    /// A command on the machine: `payrelay forget`.
    case commandLine
}

/// Origin of a question to the gateway.
public enum StatusAsker: Sendable, Hashable {
    /// The relay itself, about what is open.
    case reconciler
    /// `POST /v1/payments/{merchant_reference}/sync`. Nil where clients are not authenticated.
    case client(String?)
    /// An operator in the console, by name.
    case `operator`(String)
    /// `payrelay payments sync`.
    case commandLine
    /// `payrelay reconcile report --adopt`.
    case report
    /// A notification of the gateway. It proves nothing, so the relay asked.
    case notification(FeedbackKind)
}

/// The address to which the gateway sent feedback.
public enum FeedbackKind: String, Sendable, Hashable {
    /// Direct feedback: right after a transaction.
    case direct
    /// Notification feedback: later, or about a transaction made without a request, on the gateway's own pages for example.
    case notification
}

extension HistorySource {
    /// As a journal keeps it: words with one space between them, a name last.
    public var text: String {
        switch self {
        case .client(let name): Self.words("client", name)
        case .operator(let name): Self.words("operator", name)
        case .gatewayAnswer: "processor_answer"
        case .checkStatus(let asker): "check_status \(asker.text)"
        case .recovery: "recovery"
        case .retention: "retention"
        case .commandLine: "command_line"
        }
    }

    /// Reads what a journal has; nil for what no version of this code wrote. That is not guessed at, and hides nothing else of the entry.
    public init?(text: String) {
        guard let (word, rest) = Self.split(text) else { return nil }
        switch (word, rest) {
        case ("client", let name): self = .client(name)
        case ("operator", let name?): self = .operator(name)
        case ("processor_answer", nil): self = .gatewayAnswer
        case ("check_status", let asker?):
            guard let asker = StatusAsker(text: asker) else { return nil }
            self = .checkStatus(by: asker)
        case ("recovery", nil): self = .recovery
        case ("retention", nil): self = .retention
        case ("command_line", nil): self = .commandLine
        default: return nil
        }
    }

    /// The first word of its text.
    public var word: String { Self.split(text)?.word ?? text }

    fileprivate static func words(_ word: String, _ name: String?) -> String { name.map { "\(word) \($0)" } ?? word }

    /// More than a name and its words have, in bytes.
    private static let textLimit = 1_024

    /// Nil for a text that is longer than any source, or ends in a space.
    fileprivate static func split(_ text: String) -> (word: String, rest: String?)? {
        guard text.utf8.count <= textLimit else { return nil }
        let (word, rest) = text.cut(at: " ")
        guard rest?.isEmpty != true else { return nil }
        return (String(word), rest.map(String.init))
    }
}

extension StatusAsker {
    /// As a journal keeps it.
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

    /// Reads what a journal has; nil for what no version of this code wrote.
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

    /// The first word of its text.
    public var word: String { HistorySource.split(text)?.word ?? text }

    public var clientName: String? { if case .client(let name) = self { name } else { nil } }
    public var operatorName: String? { if case .operator(let name) = self { name } else { nil } }
}

extension HistorySource {
    /// Who asked; nil for what did not come from a question.
    public var asker: StatusAsker? { if case .checkStatus(let asker) = self { asker } else { nil } }

    /// The client that asked for it; nil where none did, or clients are not authenticated.
    public var clientName: String? { if case .client(let name) = self { name } else { asker?.clientName } }

    /// The operator who asked for it.
    public var operatorName: String? { if case .operator(let name) = self { name } else { asker?.operatorName } }

    /// The feedback that had the relay ask.
    public var feedback: FeedbackKind? { if case .notification(let kind) = asker { kind } else { nil } }
}
