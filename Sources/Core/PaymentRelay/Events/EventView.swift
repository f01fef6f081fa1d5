public import FoundationEssentials
import PayrelayPrimitives

/// An event of a payment, with the state of its delivery.
public struct EventView: Sendable {
    /// The state of the delivery.
    public enum State: String, Sendable, CaseIterable {
        case acknowledged
        /// The event is sent next, or is being sent.
        case due
        /// The event is sent once the events before it are acknowledged.
        case waiting
        /// Neither the event nor those after it are sent until an operator sends them again.
        case deadLettered = "dead_lettered"
    }

    public let identifier: String
    /// The type; `nil` if the journal's record of the event cannot be read.
    public let type: String?
    public let occurredAt: Date
    public let state: State
    /// When the event is sent next, or when the delivery under way ends at the latest.
    public let nextAt: Date?
    public let attempts: EventProgress.Attempts

    /// Returns the events of a payment, oldest first.
    public static func all(
        of merchantReference: String, in history: [HistoryEntry], _ progress: EventProgress
    ) -> [EventView] {
        var isFirst = true
        return history.compactMap { entry in
            guard let recorded = entry.event else { return nil }
            let number = entry.number
            let state: State
            if number <= progress.acknowledged {
                state = .acknowledged
            } else if progress.isDeadLettered {
                state = .deadLettered
            } else {
                state = isFirst ? .due : .waiting
                isFirst = false
            }
            return EventView(
                identifier: MerchantEvent.identifier(of: merchantReference, number: number, at: entry.at),
                type: (try? JSON(parsing: recorded))?["type"]?.stringValue, occurredAt: entry.at, state: state,
                nextAt: state == .due ? progress.dueAt : nil, attempts: progress.attempts[number] ?? .init())
        }
    }
}

extension PaymentRelay {
    /// Returns the events of a payment, oldest first, with the newest attempts to deliver each; `nil` if there is
    /// no such payment.
    ///
    /// - Parameter visible: as for ``payment(_:among:)``.
    public func events(
        of merchantReference: String, among visible: VisiblePayments? = nil
    ) async throws(JournalError) -> [EventView]? {
        guard try await payment(merchantReference, among: visible) != nil else { return nil }
        return try await journal.events(of: merchantReference)
    }
}

extension Journal {
    /// Returns the events of any payment, whichever client made it; empty if there is no such payment.
    public func events(of merchantReference: String) async throws(JournalError) -> [EventView] {
        let history = try await history(of: merchantReference)
        guard let progress = try await eventProgress(of: merchantReference) else { return [] }
        return EventView.all(of: merchantReference, in: history, progress)
    }
}
