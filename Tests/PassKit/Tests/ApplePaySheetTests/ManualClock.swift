import Foundation
import PayrelayClient

/// A clock that advances only when a test says so.
final class ManualClock: RelayClock, @unchecked Sendable {
    // Changed under the lock.
    private let lock = NSLock()
    private var seconds = 0.0
    private var count = 0
    private var sleepers: [Int: (due: Double, length: Double, wake: CheckedContinuation<Void, any Error>)] = [:]
    private var cancelled: Set<Int> = []

    var now: Double { lock.withLock { seconds } }

    func sleep(seconds: Double) async throws {
        let number = lock.withLock {
            count += 1
            return count
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isCancelled = lock.withLock {
                    guard cancelled.remove(number) == nil else { return true }
                    sleepers[number] = (self.seconds + seconds, seconds, continuation)
                    return false
                }
                if isCancelled { continuation.resume(throwing: CancellationError()) }
            }
        } onCancel: {
            let sleeper = lock.withLock {
                if sleepers[number] == nil { cancelled.insert(number) }
                return sleepers.removeValue(forKey: number)
            }
            sleeper?.wake.resume(throwing: CancellationError())
        }
    }

    /// Advances to the time of the next sleeper and wakes it, unless all sleeps are longer than `longest` seconds. Returns
    /// `false` if no sleeper was woken.
    func advance(over longest: Double = .infinity) -> Bool {
        let next = lock.withLock { () -> CheckedContinuation<Void, any Error>? in
            let inOrder = sleepers.sorted { ($0.value.due, $0.key) < ($1.value.due, $1.key) }
            // If no short sleep is left, other work is still under way, and a time limit is not reached yet.
            guard let (number, sleeper) = inOrder.first, sleepers.values.contains(where: { $0.length <= longest })
            else {
                return nil
            }
            seconds = max(seconds, sleeper.due)
            sleepers[number] = nil
            return sleeper.wake
        }
        next?.resume()
        return next != nil
    }
}

/// Lets time pass until an operation has its result. Time limits are longer than the time for answers, delays and sheets: while
/// only time limits are left, time stands still.
///
/// - Parameter patience: The number of turns of the other tasks after which time limits pass too, or `nil` for no such number.
func passing<Value: Sendable>(
    _ clock: ManualClock, patience: Int? = nil, _ operation: @escaping @Sendable () async -> Value
) async -> Value {
    let time = Task {
        var turns = 0
        while !Task.isCancelled {
            await Task.yield()
            turns += 1
            let isOverLimits = patience.map { turns > $0 } ?? false
            if clock.advance(over: isOverLimits ? .infinity : 15) { turns = 0 }
        }
    }
    defer { time.cancel() }
    return await operation()
}
