import Synchronization

/// The references that this process is working on right now. A payment that is `processing` in the journal and not here
/// was left behind by a process that ended.
final class InFlight: Sendable {
    /// Counted, because a second request for a reference comes and goes while the first is under way.
    private let counts = Mutex<[String: Int]>([:])

    func enter(_ reference: String) {
        counts.withLock { $0[reference, default: 0] += 1 }
    }

    func leave(_ reference: String) {
        counts.withLock { counts in
            guard let count = counts[reference] else { return }
            counts[reference] = count > 1 ? count - 1 : nil
        }
    }

    func contains(_ reference: String) -> Bool {
        counts.withLock { $0[reference] != nil }
    }

    var isEmpty: Bool {
        counts.withLock { $0.isEmpty }
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
