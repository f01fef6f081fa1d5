import Synchronization

/// The operators in use, which can be read again while they are logged in: the next request is decided with the new ones.
public final class ReloadableOperators: Sendable {
    private let present: Mutex<Operators>

    public init(_ operators: Operators) {
        present = Mutex(operators)
    }

    /// Whether anybody can log in.
    public var isEmpty: Bool { present.withLock { $0.entries.isEmpty } }

    public func entry(with key: OperatorKey) -> OperatorEntry? { present.withLock { $0 }.entry(with: key) }

    /// The entry of somebody who is logged in, as it is now; nil once it was removed.
    public func entry(of earlier: OperatorEntry) -> OperatorEntry? { present.withLock { $0 }.entry(of: earlier) }

    /// Uses other operators from now on.
    public func replace(with operators: Operators) {
        present.withLock { $0 = operators }
    }
}
