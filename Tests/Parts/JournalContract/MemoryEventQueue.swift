public import FoundationEssentials
public import PaymentRelay

extension MemoryJournal {
    /// The state of delivery of a payment's events.
    struct EventQueue {
        /// The number of the last acknowledged entry of the history, counted from 1.
        var acknowledged = 0
        /// The time at which the next event may be delivered, or at which the lease of its delivery expires. `nil` if there is
        /// no event, or if the payment is dead-lettered.
        var dueAt: Date?
        /// The time since which an event waits, or `nil` if none waits.
        var waitingSince: Date?
        /// How often the next event was leased.
        var attempts = 0

        var isDeadLettered: Bool { waitingSince != nil && dueAt == nil }

        /// Adds an entry with an event to the history.
        mutating func add(_ number: Int, at moment: Date) {
            if waitingSince == nil { acknowledged = number - 1 }
            waitingSince = waitingSince ?? moment
            if dueAt == nil { makeDue(at: moment) }
        }

        mutating func makeDue(at moment: Date) {
            waitingSince = waitingSince ?? moment
            dueAt = moment
            attempts = 0
        }
    }

    func leaseEvents(limit: Int, at moment: Date, until expiry: Date) -> [DueEvent] {
        let due = entries.values.filter { $0.events.dueAt.map { DueEvent.isDue($0, at: moment) } ?? false }
            .sorted {
                ($0.events.dueAt ?? moment, $0.payment.merchantReference)
                    < ($1.events.dueAt ?? moment, $1.payment.merchantReference)
            }
        return due.prefix(limit).compactMap { entry in
            let reference = entry.payment.merchantReference
            guard let next = entry.nextEvent, let recorded = next.event else { return nil }
            entries[reference]?.events.attempts += 1
            entries[reference]?.events.dueAt = expiry
            return DueEvent(
                merchantReference: reference, number: next.number, at: next.at,
                attempt: entry.events.attempts + 1, leasedUntil: expiry, recorded: recorded)
        }
    }

    func end(_ event: DueEvent, as end: DueEvent.End, at moment: Date) {
        switch end {
        case .acknowledged(let delivery):
            keep(delivery, of: event)
            guard var entry = entries[event.merchantReference], entry.holds(event) else { return }
            entry.events = EventQueue(acknowledged: event.number)
            if entry.nextEvent != nil { entry.events.makeDue(at: moment) }
            entries[event.merchantReference] = entry
        case .postponed(let later, let delivery): postpone(event, until: later, delivery)
        case .deadLettered(let delivery): postpone(event, until: nil, delivery)
        }
    }

    private func postpone(_ event: DueEvent, until moment: Date?, _ delivery: DeliveryAttempt?) {
        keep(delivery, of: event)
        guard entries[event.merchantReference]?.holds(event) == true else { return }
        entries[event.merchantReference]?.events.dueAt = moment
    }

    private func keep(_ delivery: DeliveryAttempt?, of event: DueEvent) {
        guard let delivery, let entry = entries[event.merchantReference] else { return }
        var attempts = entry.attempts[event.number] ?? EventProgress.Attempts()
        attempts.count += 1
        attempts.newest.append(entry.payment.holdsCustomerData ? delivery : delivery.withoutAnswer)
        attempts.newest.keep(last: DeliveryAttempt.kept)
        entries[event.merchantReference]?.attempts[event.number] = attempts
    }

    public func eventProgress(of merchantReference: String) -> EventProgress? {
        entries[merchantReference].map { entry in
            EventProgress(
                acknowledged: entry.events.waitingSince == nil ? entry.payment.version : entry.events.acknowledged,
                dueAt: entry.events.dueAt,
                isDeadLettered: entry.events.isDeadLettered, attempts: entry.attempts)
        }
    }

    public func resendEvents(of merchantReference: String, since: Date?, at moment: Date) -> Bool {
        guard let entry = entries[merchantReference] else { return false }
        if let since {
            guard let first = entry.history.first(where: { $0.event != nil && $0.at >= since }) else { return false }
            entries[merchantReference]?.events.acknowledged = min(entry.events.acknowledged, first.number - 1)
        } else if !entry.events.isDeadLettered {
            return false
        }
        entries[merchantReference]?.events.makeDue(at: moment)
        return true
    }
}

extension MemoryJournal.Entry {
    /// The first entry whose event is not acknowledged.
    fileprivate var nextEvent: HistoryEntry? {
        history.first { $0.number > events.acknowledged && $0.event != nil }
    }

    mutating func redact(_ redaction: Change.Redaction) {
        attempts = attempts.mapValues { .init(count: $0.count, newest: $0.newest.map(\.withoutAnswer)) }
        history = history.map { old in
            var entry = old
            if old.number <= redaction.lastNote { entry.note = nil }
            if old.event != nil, let event = redaction.events[old.number] { entry.event = event }
            return entry
        }
    }

    fileprivate func holds(_ event: DueEvent) -> Bool {
        events.dueAt == event.leasedUntil && events.attempts == event.attempt && nextEvent?.number == event.number
    }
}

extension DeliveryAttempt {
    /// The attempt as it is kept once the customer's data is erased: a backend's answer may contain such data.
    fileprivate var withoutAnswer: DeliveryAttempt {
        DeliveryAttempt(
            at: at, result: result, endpoint: endpoint, status: status, error: error, milliseconds: milliseconds,
            nextAt: nextAt)
    }
}
