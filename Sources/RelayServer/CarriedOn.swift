import Synchronization

/// What goes on for a request after its answer. What counts the request counts it until that has ended, so that it stays
/// bounded and a stop waits for it.
final class CarriedOn: Sendable {
    private let rest = Mutex<Task<Void, Never>?>(nil)

    /// - Parameter rest: what is still under way; noted before the request is answered.
    func note(_ rest: Task<Void, Never>) {
        self.rest.withLock { $0 = rest }
    }

    /// Calls `body` once nothing goes on: at once, where nothing was noted.
    func whenEnded(_ body: @escaping @Sendable () -> Void) {
        guard let rest = rest.withLock({ $0 }) else { return body() }
        Task {
            await rest.value
            body()
        }
    }
}
