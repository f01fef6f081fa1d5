import Synchronization

/// What goes on for a request after its response. The request counts until that has ended, so that such work is bounded and a
/// stop waits for it.
final class CarriedOn: Sendable {
    private struct State {
        var isUnderWay = false
        var waiting: [@Sendable () -> Void] = []
    }

    private let state = Mutex(State())

    init() {}

    /// To be called before the request is answered.
    func begin() { state.withLock { $0.isUnderWay = true } }

    func end() {
        let waiting = state.withLock { state in
            defer { state = State() }
            return state.waiting
        }
        for body in waiting { body() }
    }

    /// Calls `body` once nothing goes on: at once, where nothing was begun.
    func whenEnded(_ body: @escaping @Sendable () -> Void) {
        let waits = state.withLock { state in
            if state.isUnderWay { state.waiting.append(body) }
            return state.isUnderWay
        }
        if !waits { body() }
    }
}
