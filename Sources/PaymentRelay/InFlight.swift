import Synchronization

/// How many payments this process is carrying through right now: what a stop waits for.
final class InFlight: Sendable {
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
    /// Returns once no payment is under way, or the limit has passed. What then still is has its claim in the journal, and
    /// whoever opens that next takes it over.
    ///
    /// - Returns: whether all have come to their end.
    public func finishWhatIsUnderWay(within limit: Duration) async -> Bool {
        let deadline = ContinuousClock.now + limit
        while !inFlight.isEmpty {
            guard ContinuousClock.now < deadline else { return false }
            do { try await Task.sleep(for: .milliseconds(10)) } catch { return false }
        }
        return true
    }
}
