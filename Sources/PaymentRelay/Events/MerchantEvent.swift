import Crypto
import Primitives

/// An event as the merchant's backend gets it.
public struct MerchantEvent: Sendable, Equatable {
    /// The same each time it is sent, and no other event's, so that a backend can recognize a repetition. ASCII letters, digits and
    /// underscores: it stands in a header field and between the full stops of what is signed.
    public let identifier: String
    /// JSON: what the journal kept of it, after its identifier.
    public let body: [UInt8]

    /// - Throws: ``UnreadableEvent`` where no version of this code wrote it, or it is about another payment.
    init(_ due: DueEvent) throws(UnreadableEvent) {
        guard let recorded = (try? JSON(parsing: due.recorded))?.objectValue, recorded["id"] == nil,
            recorded["type"]?.stringValue != nil, recorded["merchant_reference"] == .string(due.merchantReference)
        else { throw UnreadableEvent() }
        // A reference may hold any characters, and is the merchant's choice.
        let reference = SHA256.hash(data: Array(due.merchantReference.utf8)).prefix(16)
        let digits = reference.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        identifier = "evt_\(digits)_\(due.number)"
        body = JSON.object(JSONObject([("id", .string(identifier))] + recorded.members.map { ($0.name, $0.value) }))
            .encoded()
    }
}

/// The journal's record of an event is not as any version of this code wrote it.
struct UnreadableEvent: Error {}

/// Where events are sent: the merchant's own backend.
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
