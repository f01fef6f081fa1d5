import JournalContract
import PaymentRelay

extension PlantedBug {
    /// Mistakes with events and their delivery.
    static let events = [
        PlantedBug(
            testDescription: "an event is acknowledged before it is delivered", sign: "never received",
            journal: { inner, world in
                FaultyJournal(
                    inner: inner,
                    onLeaseEvents: { leased in
                        for event in leased { try await inner.acknowledge(event, at: world.timeline.date, after: nil) }
                        return leased
                    })
            }),
        PlantedBug(
            testDescription: "any answer acknowledges an event", sign: "never received",
            receiver: { inner, _ in
                FaultyReceiver(inner: inner) { event in
                    let reception = await inner.deliver(event).reception
                    if case .refused = reception { return .acknowledged }
                    return reception
                }
            }),
        PlantedBug(
            testDescription: "the next event does not wait for one that was refused", sign: "out of order",
            receiver: { inner, world in
                FaultyReceiver(inner: inner) { event in
                    let reception = await inner.deliver(event).reception
                    guard case .refused = reception else { return reception }
                    world.start {
                        repeat {
                            await world.timeline.sleep(.seconds(1))
                        } while await inner.deliver(event).reception
                            != .acknowledged && world.timeline.now < world.patience
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
                    onLaterChange: { try await inner.commit($0.altered(hasEvent: false)) })
            }),
    ]
}

/// A backend with faulty deliveries.
private struct FaultyReceiver: EventReceiver {
    let inner: any EventReceiver
    let onDeliver: @Sendable (MerchantEvent) async -> EventReception

    var timeout: Duration { inner.timeout }

    func deliver(_ event: MerchantEvent) async -> DeliveryResult { DeliveryResult(await onDeliver(event)) }
}
