import Synchronization

/// The references that this process is working on right now. A payment that is `processing` in the journal and not here
/// was left behind by a process that ended.
final class InFlight: Sendable {
    /// What is known of a reference while anybody works on it or watches it.
    private struct Work {
        /// Counted, because a second request for a reference comes and goes while the first is under way.
        var requests = 0
        var watchers = 0
        /// How many requests have come in all.
        var arrivals = 0
    }

    private let work = Mutex<[String: Work]>([:])

    func enter(_ reference: String) {
        change(reference) {
            $0.requests += 1
            $0.arrivals += 1
        }
    }

    func leave(_ reference: String) {
        change(reference) { $0.requests -= 1 }
    }

    /// Reads something about a reference, and says whether a request was at work on it at any time from before until after.
    /// To look afterwards alone is not enough: a request may have come and gone, and another one may be about to come.
    func watch<Read>(
        _ reference: String, while read: () async throws -> Read
    ) async rethrows -> (read: Read, isUndisturbed: Bool) {
        let before = change(reference) { $0.watchers += 1 }
        defer { change(reference) { $0.watchers -= 1 } }
        let value = try await read()
        let after = change(reference) { _ in }
        return (value, before.requests == 0 && before.arrivals == after.arrivals)
    }

    var isEmpty: Bool {
        work.withLock { $0.values.allSatisfy { $0.requests == 0 } }
    }

    @discardableResult
    private func change(_ reference: String, by body: (inout Work) -> Void) -> Work {
        work.withLock { work in
            var changed = work[reference] ?? Work()
            body(&changed)
            work[reference] = changed.requests > 0 || changed.watchers > 0 ? changed : nil
            return changed
        }
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
