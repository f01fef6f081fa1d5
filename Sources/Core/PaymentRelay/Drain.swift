import Synchronization

/// How many payments and operations this process is carrying through: what a stop waits for.
final class UnderWay: Sendable {
    private let count = Atomic<Int>(0)

    func enter() {
        count.add(1, ordering: .relaxed)
    }

    func leave() {
        count.subtract(1, ordering: .relaxed)
    }

    var isEmpty: Bool {
        count.load(ordering: .relaxed) == 0
    }
}

extension PaymentRelay {
    /// R6: a stop lets the work under way end.
    ///
    /// Returns once no payment is under way, or the limit has passed. What is still under way then has its claim in the
    /// journal, and the process that opens the journal next takes it over.
    ///
    /// - Returns: whether all have ended.
    public func drain(within limit: Duration) async -> Bool {
        let deadline = ContinuousClock.now + limit
        while !underWay.isEmpty {
            guard ContinuousClock.now < deadline else { return false }
            do { try await Task.sleep(for: .milliseconds(10)) } catch { return false }
        }
        return true
    }
}
