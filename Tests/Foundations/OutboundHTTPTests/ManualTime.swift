import Synchronization

@testable import OutboundHTTP

/// A clock that advances only when a test says so.
final class ManualTime: Sendable {
    private struct State {
        var now = Duration.zero
        var sleepers: [(end: Duration, sleeper: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    var clock: GuardClock {
        GuardClock(now: { self.state.withLock { $0.now } }, sleep: { await self.sleep(for: $0) })
    }

    /// The number of sleeping tasks.
    var sleepers: Int { state.withLock { $0.sleepers.count } }

    func advance(by duration: Duration) {
        let woken = state.withLock { state in
            state.now += duration
            let woken = state.sleepers.filter { $0.end <= state.now }
            state.sleepers.removeAll { $0.end <= state.now }
            return woken
        }
        for (_, sleeper) in woken { sleeper.resume() }
    }

    private func sleep(for duration: Duration) async {
        await withCheckedContinuation { sleeper in
            state.withLock { $0.sleepers.append(($0.now + duration, sleeper)) }
        }
    }
}
