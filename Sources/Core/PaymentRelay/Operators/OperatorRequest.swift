/// A request that an operator makes. The history keeps the operator's name (``HistoryEntry/operatorName``).
public struct OperatorRequest: Sendable, Equatable {
    public let operatorName: String
    /// The identifier of the HTTP request.
    public let identifier: String
    /// The actions that the operator's role permits. Each action checks that it is among them.
    let permitted: Set<OperatorAction>

    public init(operatorName: String, identifier: String, permitted: Set<OperatorAction>) {
        self.operatorName = operatorName
        self.identifier = identifier
        self.permitted = permitted
    }

    func may(_ action: OperatorAction) -> Bool { permitted.contains(action) }
}
