import Foundation
import Synchronization

/// The simulated clock. It stands still while a task can run, and then jumps to the next event.
final class Timeline: Sendable {
    private struct Event {
        let at: Duration
        let body: @Sendable () -> Void
    }

    private struct State {
        var now = Duration.zero
        /// The events in reverse order: the next event is last. Of events at the same time, the one that was added first is
        /// next.
        var events: [Event] = []
    }

    private let state = Mutex(State())

    /// The time since the beginning of the simulation.
    var now: Duration { state.withLock { $0.now } }

    /// The current time as the relay's clock shows it.
    var date: Date { date(of: now) }

    func date(of moment: Duration) -> Date {
        let (seconds, attoseconds) = moment.components
        return Date(timeIntervalSince1970: 1_750_000_000 + Double(seconds) + Double(attoseconds) * 1e-18)
    }

    func after(_ delay: Duration, _ body: @escaping @Sendable () -> Void) {
        state.withLock { state in
            let event = Event(at: state.now + delay, body: body)
            let place = state.events.lastIndex { $0.at > event.at }.map { $0 + 1 } ?? 0
            state.events.insert(event, at: place)
        }
    }

    func sleep(_ delay: Duration) async {
        await withCheckedContinuation { continuation in
            after(delay) { continuation.resume() }
        }
    }

    /// Jumps to the next event and runs it. Returns `false` if there is none.
    func advance() -> Bool {
        let event = state.withLock { state -> Event? in
            guard let event = state.events.popLast() else { return nil }
            state.now = event.at
            return event
        }
        event?.body()
        return event != nil
    }
}
