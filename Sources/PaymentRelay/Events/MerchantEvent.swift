import Crypto
import Primitives

/// One thing that the merchant's backend is told.
public struct MerchantEvent: Sendable, Equatable {
    /// The same each time it is sent, and no other event's, so that a backend can tell a repetition. ASCII letters, digits and
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
