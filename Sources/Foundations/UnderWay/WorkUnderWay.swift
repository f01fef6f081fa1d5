import Synchronization

/// Counts what is under way: requests that have no response yet, payments that are carried through. What a stop waits for.
public final class WorkUnderWay: Sendable {
    private let number = Atomic(0)

    public init() {}

    public var count: Int { number.load(ordering: .relaxed) }

    public func enter() { number.add(1, ordering: .relaxed) }

    public func leave() { number.subtract(1, ordering: .relaxed) }
}
