import Synchronization

/// How many requests have no response yet, or go on after their response.
public final class RequestsUnderWay: Sendable {
    private let number = Atomic(0)

    public init() {}

    public var count: Int { number.load(ordering: .relaxed) }

    public func enter() { number.add(1, ordering: .relaxed) }

    public func leave() { number.subtract(1, ordering: .relaxed) }
}

/// What goes on for a request after its response. The request counts until that has ended, so that such work is bounded and a
/// stop waits for it.
public final class CarriedOn: Sendable {
    private let rest = Mutex<Task<Void, Never>?>(nil)

    public init() {}

    /// - Parameter rest: what is still under way; noted before the request is answered.
    public func note(_ rest: Task<Void, Never>) {
        self.rest.withLock { $0 = rest }
    }

    /// Calls `body` once nothing goes on: at once, where nothing was noted.
    public func whenEnded(_ body: @escaping @Sendable () -> Void) {
        guard let rest = rest.withLock({ $0 }) else { return body() }
        Task {
            await rest.value
            body()
        }
    }
}
