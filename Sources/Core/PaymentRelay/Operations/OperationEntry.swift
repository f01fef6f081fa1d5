import PayrelayPrimitives

/// The words of an operation's entries in the history.
enum OperationEntry {
    static func begun(_ operation: PaymentOperation) -> String { what(operation) + begin }

    static func notSent(_ operation: PaymentOperation, _ reason: String) -> String {
        "\(what(operation)): not_sent, \(reason)"
    }

    static func ended(_ operation: PaymentOperation, _ reason: String?) -> String {
        "\(what(operation)): \(operation.state.rawValue)" + (reason.map { ", \($0)" } ?? "")
    }

    /// Whether it is the reason of this operation, as done.
    static func isDone(_ operation: PaymentOperation, _ reason: String?) -> Bool {
        reason?.begins(with: "\(what(operation)): \(PaymentOperation.State.done.rawValue)") ?? false
    }

    /// Whether it is the reason of an operation that was begun.
    static func isBegin(_ reason: String?) -> Bool { reason?.ends(with: begin) ?? false }

    /// Whether it is the reason of an operation that was not sent.
    static func isUnsent(_ reason: String?) -> Bool {
        guard let (what, rest) = reason?.cut(at: ":"), let rest else { return false }
        return rest.begins(with: " not_sent,")
            && OperationCommand.allCases.contains { what.begins(with: beginning(of: $0)) }
    }

    /// How the reason of each of its entries begins.
    static func beginning(of command: OperationCommand) -> String { "\(command.rawValue) of " }

    private static let begin = " begun"

    private static func what(_ operation: PaymentOperation) -> String {
        beginning(of: operation.command) + "\(operation.amount)"
    }
}
