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
    private struct State {
        var isUnderWay = false
        var waiting: [@Sendable () -> Void] = []
    }

    private let state = Mutex(State())

    public init() {}

    /// To be called before the request is answered.
    public func begin() { state.withLock { $0.isUnderWay = true } }

    public func end() {
        let waiting = state.withLock { state in
            defer { state = State() }
            return state.waiting
        }
        for body in waiting { body() }
    }

    /// Calls `body` once nothing goes on: at once, where nothing was begun.
    public func whenEnded(_ body: @escaping @Sendable () -> Void) {
        let waits = state.withLock { state in
            if state.isUnderWay { state.waiting.append(body) }
            return state.isUnderWay
        }
        if !waits { body() }
    }
}
