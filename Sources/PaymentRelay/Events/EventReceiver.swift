/// Who is told of events: the merchant's own backend.
public protocol EventReceiver: Sendable {
    /// How long one delivery may take.
    var timeout: Duration { get }

    /// Sends the event once.
    ///
    /// - Returns: once the backend has answered, or will not.
    func deliver(_ event: MerchantEvent) async -> EventReception
}

/// How a delivery went.
public enum EventReception: Sendable, Equatable {
    case acknowledged
    /// The backend answered that it did not take the event.
    case refused(reason: String)
    /// No answer; the backend may have it all the same, and gets it again.
    case unanswered(reason: String)
}
