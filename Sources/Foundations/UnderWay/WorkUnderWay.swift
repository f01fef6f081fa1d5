import Synchronization

/// Counts the work that a shutdown waits for: requests that have no response yet, and payments that are still
/// being completed.
public final class WorkUnderWay: Sendable {
    private let number = Atomic(0)

    public init() {}

    public var count: Int { number.load(ordering: .relaxed) }

    public func enter() { number.add(1, ordering: .relaxed) }

    public func leave() { number.subtract(1, ordering: .relaxed) }
}
