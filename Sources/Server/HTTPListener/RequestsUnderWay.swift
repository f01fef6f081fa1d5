import Synchronization

/// How many requests have no response yet, or go on after their response.
public final class RequestsUnderWay: Sendable {
    private let number = Atomic(0)

    public init() {}

    public var count: Int { number.load(ordering: .relaxed) }

    public func enter() { number.add(1, ordering: .relaxed) }

    public func leave() { number.subtract(1, ordering: .relaxed) }
}
