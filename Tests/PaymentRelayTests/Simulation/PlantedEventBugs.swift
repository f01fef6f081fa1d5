import PaymentRelay

extension PlantedBug {
    /// Mistakes with what the merchant's backend is told.
    static let events = [
        PlantedBug(
            testDescription: "an event is acknowledged before it is delivered", sign: "never heard",
            journal: { inner, world in
                FaultyJournal(
                    inner: inner,
                    onLeaseEvents: { leased in
                        for event in leased { try await inner.acknowledge(event, at: world.timeline.date) }
                        return leased
                    })
            }),
        PlantedBug(
            testDescription: "any answer acknowledges an event", sign: "never heard",
            receiver: { inner, _ in
                FaultyReceiver(inner: inner) { event in
                    let reception = await inner.deliver(event)
                    if case .refused = reception { return .acknowledged }
                    return reception
                }
            }),
        PlantedBug(
            testDescription: "the next event does not wait for one that was refused", sign: "out of order",
            receiver: { inner, world in
                FaultyReceiver(inner: inner) { event in
                    let reception = await inner.deliver(event)
                    guard case .refused = reception else { return reception }
                    world.start {
                        repeat {
                            await world.timeline.sleep(.seconds(1))
                        } while await inner.deliver(event)
                            != .acknowledged && world.timeline.now < RelayHost.patience
                    }
                    return .acknowledged
                }
            }),
        PlantedBug(
            testDescription: "what is done with a settled payment is written without its event",
            sign: "would not know",
            journal: { inner, _ in
                FaultyJournal(
                    inner: inner,
                    onCompareAndSet: { old, new, entry in
                        let silent = HistoryEntry(
                            at: entry.at, state: entry.state, balance: entry.balance, reason: entry.reason,
                            requestIdentifier: entry.requestIdentifier)
                        return try await inner.compareAndSet(old, to: new, because: silent)
                    })
            }),
    ]
}

/// A backend that is not told as it should be.
private struct FaultyReceiver: EventReceiver {
    let inner: any EventReceiver
    let onDeliver: @Sendable (MerchantEvent) async -> EventReception

    var timeout: Duration { inner.timeout }

    func deliver(_ event: MerchantEvent) async -> EventReception { await onDeliver(event) }
}
