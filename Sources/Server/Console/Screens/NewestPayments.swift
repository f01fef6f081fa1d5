import PaymentRelay

/// The payments with the newest changes. All watchers share one read of the journal per second; without watchers
/// nothing is read.
actor NewestPayments {
    /// The number of changes that are read. If more happen within a second, the oldest of them are not seen.
    static let count = 50

    nonisolated let relay: PaymentRelay
    private var known: [Payment] = []
    private var readAt: ContinuousClock.Instant?
    private let now: @Sendable () -> ContinuousClock.Instant

    init(relay: PaymentRelay, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        self.relay = relay
        self.now = now
    }

    /// Returns the payments, the one that changed last first. If the journal cannot be read, returns the payments
    /// of the last read.
    func payments() async -> [Payment] {
        if let readAt, readAt.duration(to: now()) < .milliseconds(900) { return known }
        // Set before the read, so that calls during the read get the payments of the last read.
        readAt = now()
        if let payments = try? await relay.recentlyChanged(Self.count) { known = payments }
        return known
    }
}
