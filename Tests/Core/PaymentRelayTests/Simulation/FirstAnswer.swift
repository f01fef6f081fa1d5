import Synchronization

/// A continuation that resumes with the first of several answers.
final class FirstAnswer<Answer: Sendable>: Sendable {
    private let waiting: Mutex<CheckedContinuation<Answer, Never>?>

    init(_ continuation: CheckedContinuation<Answer, Never>) {
        waiting = Mutex(continuation)
    }

    func give(_ answer: Answer) {
        let first = waiting.withLock { waiting in
            defer { waiting = nil }
            return waiting
        }
        first?.resume(returning: answer)
    }
}
