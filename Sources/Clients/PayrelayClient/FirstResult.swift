import Foundation

/// The first of several results. Later results are dropped.
// Safe: everything that changes is read and changed only under the lock. `Mutex` requires iOS 18.
final class FirstResult<Value: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var result: Value?
    private var waiting: CheckedContinuation<Value, Never>?

    /// Returns the first result when there is one. Only one task may wait at a time.
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

/// The error if a function of the app exceeds its time limit.
struct TimeIsOver: Error {}

extension RelayClock {
    /// Returns the result of a function of the app. Returns in time even if the function ignores its
    /// cancellation.
    ///
    /// The function runs in a separate task, which is cancelled when the time limit has passed or the caller is
    /// cancelled. A later result of the function is dropped. A function that never returns keeps only its own
    /// task alive.
    ///
    /// - Parameter seconds: the time limit, measured by this clock.
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
