import PaymentRelay
import PayrelayPrimitives

/// The receipt that a phone with an order token gets: payrelay's own members and those of the gateway's members
/// that are meant for phones. Everything else is left out:
///
/// - the gateway's full answer, which may name the merchant's account and be signed with the merchant's secret;
/// - the reason why an outcome is open, which may name a host of the merchant's network;
/// - any member that a later version adds to receipts.
///
/// It is derived only from the stored receipt, so the same stored bytes always give the same result.
struct PhoneReceipt {
    let vocabulary: AnswerVocabulary

    /// The members of a receipt, and of a payment that is looked up.
    private static let members: Set = [
        "merchant_reference", "command", "outcome", "amount", "currency", "processor", "simulated",
        "apple_transaction_identifier", "captured_amount", "refunded_amount", "operations", "history",
    ]

    /// The members of a capture, a void or a refund.
    private static let operationMembers: Set = ["command", "outcome", "amount", "currency", "begun_at"]

    /// The members of a history entry.
    private static let historyMembers: Set = ["at", "outcome"]

    func of(receipt bytes: [UInt8], gateway: String) -> [UInt8] {
        // Receipts are JSON that payrelay wrote. Anything else is not shown.
        guard let receipt = (try? JSON(parsing: bytes))?.objectValue else { return [] }
        return JSON.object(of(receipt, gateway: gateway)).encoded()
    }

    func of(_ payment: JSONObject, gateway: String) -> JSONObject {
        let fields = vocabulary[gateway].phone
        var view = payment.filter { Self.members.contains($0.name) || fields.contains($0.name) }
        view["operations"] = view["operations"].map { Self.each(of: $0, Self.operationMembers) }
        view["history"] = view["history"].map { Self.each(of: $0, Self.historyMembers) }
        return view
    }

    private static func each(of list: JSON, _ members: Set<String>) -> JSON {
        .array(
            (list.arrayValue ?? []).compactMap(\.objectValue).map { .object($0.filter { members.contains($0.name) }) })
    }
}
