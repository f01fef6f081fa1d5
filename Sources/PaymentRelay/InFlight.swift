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
    /// Returns once no charge is under way. Each ends by the processor's timeout at the latest.
    public func finishWhatIsUnderWay() async {
        while !inFlight.isEmpty {
            do { try await Task.sleep(for: .milliseconds(10)) } catch { return }
        }
    }
}
