import PayrelayPrimitives

/// A request that an operator makes. The history has the operator's name in the place of the request's identifier, before it:
/// `operator sara 4f1c…`. No client can send that: its own identifier of a request holds no space.
public struct OperatorRequest: Sendable, Equatable {
    public let operatorName: String
    /// Of the HTTP request.
    public let identifier: String
    /// Actions that the operator's role permits. Each action checks that it is among them.
    let permitted: Set<OperatorAction>

    private static let word = "operator"

    public init(operatorName: String, identifier: String, permitted: Set<OperatorAction>) {
        self.operatorName = operatorName
        self.identifier = identifier
        self.permitted = permitted
    }

    /// As the history has it, which knows of no permission. Nil where no operator made the request.
    init?(recorded text: String) {
        let words = text.parts(at: " ")
        guard words.count == 3, words[0] == Self.word else { return nil }
        self.init(operatorName: String(words[1]), identifier: String(words[2]), permitted: [])
    }

    func may(_ action: OperatorAction) -> Bool { permitted.contains(action) }

    /// As the history and the log have it.
    public var recorded: String { Self.beginning(of: operatorName) + identifier }

    /// How it begins in the history, of each request of an operator.
    package static func beginning(of operatorName: String) -> String { "\(word) \(operatorName) " }
}

extension HistoryEntry {
    /// The operator in whose request it happened; nil where it was none.
    public var operatorRequest: OperatorRequest? { requestIdentifier.flatMap { OperatorRequest(recorded: $0) } }
}
