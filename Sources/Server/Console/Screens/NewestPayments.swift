import PaymentRelay

/// The payments of the newest changes. All watchers share one read of the journal a second; without a watcher nothing is read.
actor NewestPayments {
    /// How many changes are read. Of more in a second, the oldest are not seen.
    static let count = 50

    nonisolated let relay: PaymentRelay
    private var known: [Payment] = []
    private var readAt: ContinuousClock.Instant?
    private let now: @Sendable () -> ContinuousClock.Instant

    init(relay: PaymentRelay, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        self.relay = relay
        self.now = now
    }

    /// The one that changed last first. Where the journal cannot be read, those that were known before.
    func payments() async -> [Payment] {
        if let readAt, readAt.duration(to: now()) < .milliseconds(900) { return known }
        // Before it is read: who asks meanwhile gets what is known.
        readAt = now()
        if let payments = try? await relay.recentlyChanged(Self.count) { known = payments }
        return known
    }
}
