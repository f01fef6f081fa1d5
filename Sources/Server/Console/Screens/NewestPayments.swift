import PaymentRelay

/// The newest payments. All watchers share one read of the journal a second; without a watcher nothing is read.
actor NewestPayments {
    /// How many are read. Of more in a second, the oldest are not seen.
    static let count = 50

    nonisolated let relay: PaymentRelay
    private var known: [Payment] = []
    private var readAt: ContinuousClock.Instant?

    init(relay: PaymentRelay) {
        self.relay = relay
    }

    /// The newest first. Where the journal cannot be read, those that were known before.
    func payments() async -> [Payment] {
        if let readAt, readAt.duration(to: .now) < .milliseconds(900) { return known }
        // Before it is read: who asks meanwhile gets what is known.
        readAt = .now
        var query = PaymentQuery()
        query.limit = Self.count
        if let page = try? await relay.search(query) { known = page.payments }
        return known
    }
}
