import PaymentRelay
import PayrelayPrimitives

/// The receipt that a phone with an order token gets: this service's own members, those of the gateway's that are for phones, and no
/// others. It contains neither the gateway's whole answer, which may name the merchant's account and be signed with its secret, nor
/// why an outcome is open, which may name a host of the merchant's network, nor what a later version adds to receipts.
///
/// It is made of the stored receipt alone: of the same bytes come the same bytes.
struct PhoneReceipt {
    let vocabulary: AnswerVocabulary

    /// Of a receipt, and of a payment that is looked up.
    private static let members: Set = [
        "merchant_reference", "command", "outcome", "amount", "currency", "processor", "simulated",
        "apple_transaction_identifier", "captured_amount", "refunded_amount", "operations", "history",
    ]

    /// Of a capture, a void or a refund.
    private static let operationMembers: Set = ["command", "outcome", "amount", "currency", "begun_at"]

    /// Of an entry in the history.
    private static let historyMembers: Set = ["at", "outcome"]

    func of(receipt bytes: [UInt8], gateway: String) -> [UInt8] {
        // Receipts are this service's own JSON; anything else is not shown.
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
