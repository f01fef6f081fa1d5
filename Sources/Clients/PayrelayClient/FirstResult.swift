import Foundation

/// The first of several results; later ones are dropped.
// Safe: what changes is read and changed under the lock alone. `Mutex` needs iOS 18.
final class FirstResult<Value: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var result: Value?
    private var waiting: CheckedContinuation<Value, Never>?

    /// Returns the first result as soon as it is there. One task waits at a time.
    var value: Value {
        get async {
            await withCheckedContinuation { continuation in
                let result = lock.withLock {
                    if self.result == nil { waiting = continuation }
                    return self.result
                }
                if let result { continuation.resume(returning: result) }
            }
        }
    }

    func set(_ result: Value) {
        let waiting = lock.withLock { () -> CheckedContinuation<Value, Never>? in
            guard self.result == nil else { return nil }
            self.result = result
            defer { self.waiting = nil }
            return self.waiting
        }
        waiting?.resume(returning: result)
    }
}

/// The time limit of a function of the app is over.
struct TimeIsOver: Error {}

extension RelayClock {
    /// Returns the result of a function of the app, and returns in time even if the function ignores its cancellation.
    ///
    /// The function runs in a task of its own, which is cancelled when the time is over or the caller is cancelled. What the function
    /// returns afterwards is dropped. A function that never returns keeps its own task and nothing else.
    ///
    /// - Parameter seconds: the time limit, by this clock.
    /// - Returns: the function's result, or a failure with ``TimeIsOver`` or `CancellationError`.
    func result<Value: Sendable>(
        within seconds: Double, of function: @escaping @Sendable () async throws -> Value
    ) async -> Result<Value, any Error> {
        let first = FirstResult<Result<Value, any Error>>()
        let work = Task {
            do {
                first.set(.success(try await function()))
            } catch {
                first.set(.failure(error))
            }
        }
        let timer = Task {
            try await sleep(seconds: seconds)
            first.set(.failure(TimeIsOver()))
        }
        defer {
            timer.cancel()
            work.cancel()
        }
        return await withTaskCancellationHandler {
            await first.value
        } onCancel: {
            first.set(.failure(CancellationError()))
        }
    }
}
