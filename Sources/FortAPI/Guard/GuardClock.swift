/// The time as a ``GuardedTransport`` knows it.
struct GuardClock: Sendable {
    /// How much time has passed since some moment.
    let now: @Sendable () -> Duration
    let sleep: @Sendable (Duration) async throws -> Void

    static var continuous: GuardClock {
        let start = ContinuousClock.now
        return GuardClock(now: { start.duration(to: .now) }, sleep: { try await Task.sleep(for: $0) })
    }
}
